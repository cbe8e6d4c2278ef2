internal import CBOR
internal import WebAuthn

/// Takes a structure of bytes apart from its beginning.
struct ByteCursor {
    /// What is left.
    var rest: ArraySlice<UInt8>

    /// So many bytes; nil, and nothing taken, when there are fewer.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads one item of CBOR into a field; gives the reason when there is none.
    mutating func append(_ name: String, as shape: Shape, to fields: inout [TraceField]) -> String? {
        do {
            let (value, end) = try CBOR.decodePrefix(Array(rest), from: 0, options: .lenient)
            var field = FieldDecoder.field(value, as: shape)
            field.name = name
            fields.append(field)
            rest = rest.dropFirst(end)
            return nil
        } catch {
            return "\(name): \(error)"
        }
    }
}

/// The parts of structures that are not CBOR.
extension TraceField {
    static func bytes(_ name: String, _ bytes: ArraySlice<UInt8>, meaning: String? = nil) -> TraceField {
        TraceField(name: name, type: .bytes, value: Hex.encode(bytes), meaning: meaning, length: bytes.count)
    }

    static func integer(_ name: String, _ number: Int, meaning: String? = nil) -> TraceField {
        TraceField(name: name, type: .integer, value: "\(number)", meaning: meaning)
    }

    /// Bytes that could not be read, which may be anything.
    static func undecoded(_ bytes: ArraySlice<UInt8>, _ problem: String? = nil) -> TraceField {
        var field = FieldDecoder.secret(.bytes(Array(bytes)), .possible)
        field.name = "undecoded"
        field.problem = problem
        return field
    }
}
