/// A dictionary by byte strings, which hashes a key as one piece of memory instead of byte by byte.
struct ByteTable<Value: Sendable>: Sendable {
    private struct Key: Hashable, Sendable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
    }

    private var values: [Key: Value] = [:]

    init() {}

    init(minimumCapacity: Int) { values = Dictionary(minimumCapacity: minimumCapacity) }

    var count: Int { values.count }

    subscript(bytes: [UInt8]) -> Value? {
        get { values[Key(bytes: bytes)] }
        set { values[Key(bytes: bytes)] = newValue }
    }

    mutating func updateValue(_ value: Value, forKey bytes: [UInt8]) -> Value? {
        values.updateValue(value, forKey: Key(bytes: bytes))
    }

    mutating func removeValue(forKey bytes: [UInt8]) -> Value? { values.removeValue(forKey: Key(bytes: bytes)) }
}
