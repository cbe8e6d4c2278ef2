internal import CBOR

/// The keys of a message's map; each case has the specification's name of its member.
package protocol MessageKey: RawRepresentable<Int>, CaseIterable, Hashable, Sendable {}

extension MessageKey {
    /// The specification's name of the member.
    package var name: String { String(describing: self) }
}

/// A message's map, read and written by its keys.
///
/// Unknown members are skipped (CTAP 2.3 §8: receivers ignore what they do not know).
struct MessageMap<Key: MessageKey> {
    private(set) var map = CBOR.Map()

    init() {}

    init(_ value: CBOR.Value, _ name: String = "the response") throws(CBOR.AccessError) {
        map = try value.asMap(name)
    }

    subscript(key: Key) -> CBOR.Value? {
        get { map[key.rawValue] }
        set { map[key.rawValue] = newValue }
    }

    /// The map as an item; nil when it is empty.
    var cborUnlessEmpty: CBOR.Value? { map.isEmpty ? nil : .map(map) }

    /// The member under a key, read by `convert`; nil when it is absent.
    func read<T>(_ key: Key, _ convert: (CBOR.Value) throws(CBOR.AccessError) -> T) throws(CBOR.AccessError) -> T? {
        guard let value = self[key] else { return nil }
        return try convert(value)
    }

    /// The member under a key, read by `read`; an error when it is absent.
    func required<T>(
        _ key: Key, _ read: (Key) throws(CBOR.AccessError) -> T?
    ) throws(CBOR.AccessError) -> T {
        guard let value = try read(key) else { throw CBOR.AccessError(problem: .missing, path: key.name) }
        return value
    }

    func unsigned(_ key: Key) throws(CBOR.AccessError) -> Int? { try self[key]?.asUnsigned(key.name) }
    func bool(_ key: Key) throws(CBOR.AccessError) -> Bool? { try self[key]?.asBool(key.name) }
    func bytes(_ key: Key) throws(CBOR.AccessError) -> [UInt8]? { try self[key]?.asBytes(key.name) }
    func text(_ key: Key) throws(CBOR.AccessError) -> String? { try self[key]?.asText(key.name) }
    func texts(_ key: Key) throws(CBOR.AccessError) -> [String]? { try self[key]?.asTexts(key.name) }
    func map(_ key: Key) throws(CBOR.AccessError) -> CBOR.Map? { try self[key]?.asMap(key.name) }

    /// A member that is a map, as an item.
    func mapItem(_ key: Key) throws(CBOR.AccessError) -> CBOR.Value? {
        guard let value = self[key] else { return nil }
        _ = try value.asMap(key.name)
        return value
    }

    /// `options`: a map from text to booleans.
    func options(_ key: Key) throws(CBOR.AccessError) -> [String: Bool]? { try self[key]?.asOptions() }

    /// `extensions`: a map from extension identifiers to inputs.
    func extensions(_ key: Key) throws(CBOR.AccessError) -> [String: CBOR.Value]? {
        guard let map = try map(key) else { return nil }
        var extensions: [String: CBOR.Value] = [:]
        for (key, value) in map { extensions[try key.asText("a key of extensions")] = value }
        return extensions
    }

    mutating func set(_ key: Key, _ value: Int?) { self[key] = value.map { .integer($0) } }
    mutating func set(_ key: Key, _ value: Bool?) { self[key] = value.map { .bool($0) } }
    mutating func set(_ key: Key, _ value: [UInt8]?) { self[key] = value.map { .bytes($0) } }
    mutating func set(_ key: Key, _ value: String?) { self[key] = value.map { .text($0) } }
    mutating func set(_ key: Key, _ value: [String]?) { self[key] = value.map { .texts($0) } }
    mutating func set(_ key: Key, _ value: CBOR.Map?) { self[key] = value.map { .map($0) } }
    mutating func set(_ key: Key, _ value: CBOR.Value?) { self[key] = value }
}

extension CBOR.Value {
    static func texts(_ texts: [String]) -> CBOR.Value { .array(texts.map { .text($0) }) }
    static func options(_ options: [String: Bool]) -> CBOR.Value { .map(CBOR.Map(options.mapValues { .bool($0) })) }

    func asTexts(_ path: @autoclosure () -> String) throws(CBOR.AccessError) -> [String] {
        var texts: [String] = []
        for item in try asArray(path()) { texts.append(try item.asText(path())) }
        return texts
    }

    func asOptions() throws(CBOR.AccessError) -> [String: Bool] {
        var options: [String: Bool] = [:]
        for (key, value) in try asMap("options") {
            let name = try key.asText("a key of options")
            options[name] = try value.asBool("options.\(name)")
        }
        return options
    }
}

extension CBOR.Map {
    /// A map with text keys.
    init(_ entries: [String: CBOR.Value]) {
        self.init()
        for (key, value) in entries { self[key] = value }
    }
}
