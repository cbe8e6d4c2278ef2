import CBOR

/// One member of a message: where it stands and which kinds of item it may be.
struct Shape: Sendable, CustomStringConvertible {
    enum Step: Sendable {
        case key(CBOR.Value)
        case index(Int)
    }

    let name: String
    let path: [Step]
    let kinds: Set<CBOR.Kind>
    let isRequired: Bool

    init(_ name: String, _ path: [Step], _ kinds: Set<CBOR.Kind>, required: Bool = false) {
        self.name = name
        self.path = path
        self.kinds = kinds
        isRequired = required
    }

    var description: String { name }

    /// One item of each kind there is.
    static let samples: [CBOR.Value] = [
        7, -7, .bytes([1, 2]), "text", [1], ["a": 1], true, .null, .undefined, .simple(99), .float16(bits: 0x3C00),
    ]

    /// The samples that are of the wrong kind here.
    var wrong: [CBOR.Value] { Self.samples.filter { !kinds.contains($0.kind) } }

    /// A message with this member replaced, or taken out.
    func replace(in message: CBOR.Value, by value: CBOR.Value?) -> CBOR.Value {
        Self.replace(in: message, at: path[...], by: value) ?? .null
    }

    private static func replace(
        in message: CBOR.Value, at path: ArraySlice<Step>, by value: CBOR.Value?
    ) -> CBOR.Value? {
        guard let step = path.first else { return value }
        switch (step, message) {
        case (.key(let key), .map(var map)):
            map[key] = replace(in: map[key] ?? .null, at: path.dropFirst(), by: value)
            return .map(map)
        case (.index(let index), .array(var items)):
            if let new = replace(in: items[index], at: path.dropFirst(), by: value) {
                items[index] = new
            } else {
                items.remove(at: index)
            }
            return .array(items)
        default:
            return message
        }
    }
}
