extension Schema {
    /// The form of a type's encoding, recorded from the requests the type makes while it decodes itself.
    ///
    /// A member that the type decodes if present is optional. A type whose members depend on the values of other
    /// members cannot be recorded.
    package static func of<Value: Decodable>(_ type: Value.Type) -> Schema {
        let recorder = SchemaRecorder()
        _ = try? recorder.value(of: type)
        return recorder.schema
    }
}

/// A decoder without input: it answers with zeros and empty texts, and records the requests.
private final class SchemaRecorder: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private(set) var single: Schema?
    let object = ObjectNotes()
    let element = ElementNotes()

    final class ObjectNotes {
        var isUsed = false
        var members: [Schema.Member] = []
        var optional: Set<String> = []
        /// Whether the type asked for the member names, as a dictionary does.
        var isMap = false

        func note(_ name: String, _ schema: Schema) {
            guard !members.contains(where: { $0.name == name }) else { return }
            members.append(Schema.Member(name: name, schema: schema, isRequired: !optional.contains(name)))
        }
    }

    final class ElementNotes {
        var isUsed = false
        var schema: Schema?
    }

    var schema: Schema {
        if let single { return single }
        if element.isUsed { return .array(element.schema ?? .any) }
        if object.isMap { return .map(object.members.first?.schema ?? .any) }
        return object.isUsed ? .object(Schema.Members(members: object.members)) : .any
    }

    func note(_ schema: Schema) { single = schema }

    /// Decodes a value of a type and records its form here.
    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        if let choices = Self.choices(type) {
            note(.choice(choices.map(\.text)))
            if let first = choices.first?.value as? Value { return first }
        }
        // Any JSON value; a guess would decode a text.
        if let null = JSONValue.null as? Value {
            note(.any)
            return null
        }
        return try Value(from: self)
    }

    /// The cases of an enumeration with text raw values.
    private static func choices(_ type: Any.Type) -> [(text: String, value: Any)]? {
        func cases<Choice: CaseIterable>(_ type: Choice.Type) -> [(text: String, value: Any)]? {
            var found: [(text: String, value: Any)] = []
            for value in Choice.allCases {
                guard let text = (value as? any RawRepresentable)?.rawValue as? String else { return nil }
                found.append((text, value))
            }
            return found
        }
        return (type as? any CaseIterable.Type).flatMap { cases($0) }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        object.isUsed = true
        return KeyedDecodingContainer(KeyedRecorder<Key>(notes: object))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        element.isUsed = true
        return UnkeyedRecorder(notes: element)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { SingleRecorder(recorder: self) }
}

private struct KeyedRecorder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let notes: SchemaRecorder.ObjectNotes
    var codingPath: [any CodingKey] { [] }

    var allKeys: [Key] {
        notes.isMap = true
        return Key(stringValue: "name").map { [$0] } ?? []
    }

    func contains(_ key: Key) -> Bool {
        notes.optional.insert(key.stringValue)
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let recorder = SchemaRecorder()
        defer { notes.note(key.stringValue, recorder.schema) }
        return try recorder.value(of: type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw NotRecorded() }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw NotRecorded() }
    func superDecoder() throws -> any Decoder { throw NotRecorded() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NotRecorded() }
}

private struct UnkeyedRecorder: UnkeyedDecodingContainer {
    let notes: SchemaRecorder.ElementNotes
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let recorder = SchemaRecorder()
        defer {
            notes.schema = recorder.schema
            currentIndex += 1
        }
        return try recorder.value(of: type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { throw NotRecorded() }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NotRecorded() }
    mutating func superDecoder() throws -> any Decoder { throw NotRecorded() }
}

private struct SingleRecorder: SingleValueDecodingContainer {
    let recorder: SchemaRecorder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode(_ type: Bool.Type) throws -> Bool { noting(.boolean, false) }
    func decode(_ type: String.Type) throws -> String { noting(.string(), "") }
    func decode(_ type: Double.Type) throws -> Double { noting(.number, 0) }
    func decode(_ type: Float.Type) throws -> Float { noting(.number, 0) }
    func decode(_ type: Int.Type) throws -> Int { noting(.integer(), 0) }
    func decode(_ type: Int64.Type) throws -> Int64 { noting(.integer(), 0) }
    func decode(_ type: UInt.Type) throws -> UInt { noting(.integer(0...Int.max), 0) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { noting(.integer(0...Int.max), 0) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let range = Self.range(type) { recorder.note(.integer(range)) }
        if let zero = (type as? any FixedWidthInteger.Type).flatMap({ $0.init(exactly: 0) }) as? Value { return zero }
        return try recorder.value(of: type)
    }

    private func noting<Value>(_ schema: Schema, _ value: Value) -> Value {
        recorder.note(schema)
        return value
    }

    private static func range(_ type: Any.Type) -> ClosedRange<Int>? {
        switch type {
        case is Int8.Type: Int(Int8.min)...Int(Int8.max)
        case is Int16.Type: Int(Int16.min)...Int(Int16.max)
        case is Int32.Type: Int(Int32.min)...Int(Int32.max)
        case is UInt8.Type: 0...Int(UInt8.max)
        case is UInt16.Type: 0...Int(UInt16.max)
        case is UInt32.Type: 0...Int(UInt32.max)
        default: nil
        }
    }
}

/// A way of decoding that is not recorded.
private struct NotRecorded: Error {}
