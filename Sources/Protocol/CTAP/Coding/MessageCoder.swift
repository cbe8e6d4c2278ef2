package import CBOR
// Public, because the extractor of the documentation loads no module that is imported as `package`.
public import MessageValues

/// The keys of a map; each case has the specification's name of its member.
@usableFromInline package protocol MessageKey: RawRepresentable, CaseIterable, Hashable, Sendable
where RawValue: MapKey {}

extension MessageKey {
    /// The specification's name of the member.
    package var name: String { String(describing: self) }
}

/// A structure that is a map in CBOR.
///
/// Its ``code(_:)`` is the one table of its members.
package protocol CodedMap {
    associatedtype Key: MessageKey
    /// A value without members, to be read into.
    static var blank: Self { get }
    /// Passes every member to a coder, which reads, writes or describes it.
    mutating func code(_ members: inout MessageCoder<Key>)
}

extension CodedMap {
    /// Reads a map; unknown members are skipped (CTAP 2.3 §8).
    init(item: CBOR.Value, named name: @autoclosure () -> String) throws(CBOR.AccessError) {
        var members = MessageCoder<Key>(.reading, try item.asMap(name()))
        self = .blank
        code(&members)
        if let error = members.error { throw error }
    }

    init(parameters: CBOR.Value) throws(Refusal) {
        do {
            try self.init(item: parameters, named: "the parameters")
        } catch {
            throw Refusal(error)
        }
    }

    /// The members that are present.
    var map: CBOR.Map {
        // Most messages have fewer members.
        var members = MessageCoder<Key>(.writing, CBOR.Map(minimumCapacity: 8))
        var copy = self
        copy.code(&members)
        return members.map
    }

    var itemUnlessEmpty: CBOR.Value? { written { $0.code(&$1) } }

    /// Every member it can have.
    package static var members: [MessageMember] { described { $0.code(&$1) } }

    /// The map that a table of this message writes, or of a map inside it; nil when it is empty.
    func written<Inner>(_ code: (inout Self, inout MessageCoder<Inner>) -> Void) -> CBOR.Value? {
        var members = MessageCoder<Inner>(.writing)
        var copy = self
        code(&copy, &members)
        return members.map.isEmpty ? nil : .map(members.map)
    }

    /// The members that a table of this message describes, or of a map inside it.
    static func described<Inner>(_ code: (inout Self, inout MessageCoder<Inner>) -> Void) -> [MessageMember] {
        var members = MessageCoder<Inner>(.describing)
        var blank = blank
        code(&blank, &members)
        return members.described
    }
}

/// Entities inside messages.
extension CodedMap where Self: MemberValue {
    package static var type: MemberType { .members(members) }
    package init(item: CBOR.Value) throws(CBOR.AccessError) { try self.init(item: item, named: "") }
    package var item: CBOR.Value { .map(map) }

    // A copy of `MemberElement.array(of:)` that is specialised for each entity; the general one looks types up at run time.
    package static func array(of item: CBOR.Value) throws(CBOR.AccessError) -> [Self] {
        try item.elements(Self.init(item:))
    }
}

/// Reads, writes or describes the members of one map.
///
/// Each message has one function for all three, which therefore cannot disagree. After an error the members that follow
/// are not read.
package struct MessageCoder<Key: MessageKey> {
    enum Mode {
        case reading, writing, describing
    }

    private let mode: Mode
    /// The map that is read or has been written.
    private(set) var map: CBOR.Map
    private(set) var described: [MessageMember] = []
    private(set) var error: CBOR.AccessError?

    init(_ mode: Mode, _ map: CBOR.Map = CBOR.Map()) {
        self.mode = mode
        self.map = map
    }

    mutating func member<Value: MemberValue>(_ key: Key, _ value: inout Value) {
        required(key, &value, Value.type, Value.init(item:)) { $0.item }
    }

    /// A required byte string.
    ///
    /// Byte strings are the most frequent members, and the conformance of `Array` in `MessageValues` is slower.
    mutating func member(_ key: Key, _ value: inout [UInt8]) {
        required(key, &value, .bytes, Self.bytes) { .bytes($0) }
    }

    mutating func member<Value: MemberValue>(_ key: Key, _ value: inout Value?) {
        optional(key, &value, Value.type, Value.init(item:)) { $0.item }
    }

    mutating func member(_ key: Key, _ value: inout [UInt8]?) {
        optional(key, &value, .bytes, Self.bytes) { .bytes($0) }
    }

    private static func bytes(_ item: CBOR.Value) throws(CBOR.AccessError) -> [UInt8] { try item.asBytes("") }

    @inline(__always)
    private mutating func required<Value>(
        _ key: Key, _ value: inout Value, _ type: @autoclosure () -> MemberType,
        _ parse: (CBOR.Value) throws(CBOR.AccessError) -> Value, _ item: (Value) -> CBOR.Value
    ) {
        switch mode {
        case .reading:
            guard error == nil else { return }
            guard let item = key.rawValue.value(in: map) else {
                error = CBOR.AccessError(problem: .missing, path: key.name)
                return
            }
            if let found = read(key, item, parse) { value = found }
        case .writing: map.append(key.rawValue.keyItem, item(value))
        case .describing: describe(key, type(), isRequired: true)
        }
    }

    @inline(__always)
    private mutating func optional<Value>(
        _ key: Key, _ value: inout Value?, _ type: @autoclosure () -> MemberType,
        _ parse: (CBOR.Value) throws(CBOR.AccessError) -> Value, _ item: (Value) -> CBOR.Value
    ) {
        switch mode {
        case .reading:
            guard error == nil, let item = key.rawValue.value(in: map) else { return }
            value = read(key, item, parse)
        case .writing: if let value { map.append(key.rawValue.keyItem, item(value)) }
        case .describing: describe(key, type(), isRequired: false)
        }
    }

    /// A list or dictionary that is absent when it is empty.
    mutating func member<Value: MemberValue & Collection>(_ key: Key, unlessEmpty value: inout Value) {
        var present: Value? = value.isEmpty ? nil : value
        member(key, &present)
        if mode == .reading, let present { value = present }
    }

    /// A member that is always written, and whose absence leaves the value unchanged.
    mutating func member<Value: MemberValue>(_ key: Key, orAbsent value: inout Value) {
        var present: Value? = value
        member(key, &present)
        if let present { value = present }
    }

    /// A member of any content that must be a map.
    mutating func member(_ key: Key, map item: inout CBOR.Value?) {
        member(key, &item)
        guard mode == .reading, error == nil, let item else { return }
        do {
            _ = try item.asMap(key.name)
        } catch {
            self.error = error
        }
    }

    /// `options` of a request: those that the commands define.
    ///
    /// Other keys are treated as absent, whatever their values (CTAP 2.3 §6.1.2 step 5, §6.2.2 step 4).
    mutating func requestOptions(_ key: Key, _ options: inout [String: Bool]) {
        guard mode == .reading else { return member(key, unlessEmpty: &options) }
        var map: CBOR.Map?
        member(key, &map)
        guard error == nil, let map else { return }
        do {
            for (key, _) in map { _ = try key.asText("a key of options") }
            for name in ["rk", "up", "uv"] {
                if let value = map[name] { options[name] = try value.asBool("\(key.name).\(name)") }
            }
        } catch let problem {
            error = problem as CBOR.AccessError
        }
    }

    /// A member that is neither kept nor written; only its type is checked.
    mutating func ignored<Value: MemberValue>(_ key: Key, _: Value.Type) {
        var value: Value?
        member(key, &value)
    }

    /// The members of a map inside this one, when it is read.
    mutating func members<Inner: MessageKey>(in item: CBOR.Value?, _ code: (inout MessageCoder<Inner>) -> Void) {
        guard mode == .reading, error == nil, case .map(let map)? = item else { return }
        var inner = MessageCoder<Inner>(.reading, map)
        code(&inner)
        error = inner.error
    }

    @inline(__always)
    private mutating func read<Value>(
        _ key: Key, _ item: CBOR.Value, _ parse: (CBOR.Value) throws(CBOR.AccessError) -> Value
    ) -> Value? {
        do {
            return try parse(item)
        } catch {
            self.error = error.inside(key.name)
            return nil
        }
    }

    private mutating func describe(_ key: Key, _ type: MemberType, isRequired: Bool) {
        described.append(MessageMember(key: key.rawValue.keyItem, name: key.name, type: type, isRequired: isRequired))
    }
}
