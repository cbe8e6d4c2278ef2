internal import CBOR
internal import WebAuthn

/// Reads a byte structure from its beginning.
struct ByteCursor {
    /// The bytes not yet read.
    var rest: ArraySlice<UInt8>

    /// Reads a number of bytes; nil, without reading any, when fewer are left.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Reads one CBOR item into a field; returns the reason when that fails.
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

/// Fields of structures that are not CBOR.
extension TraceField {
    package static func bytes(_ name: String, _ bytes: some Collection<UInt8>, meaning: String? = nil) -> TraceField {
        TraceField(name: name, type: .bytes, value: Hex.encode(bytes), meaning: meaning, length: bytes.count)
    }

    package static func integer(_ name: String, _ number: Int, meaning: String? = nil) -> TraceField {
        TraceField(name: name, type: .integer, value: "\(number)", meaning: meaning)
    }

    package static func text(_ name: String, _ text: String) -> TraceField {
        TraceField(name: name, type: .text, value: text, length: text.utf8.count)
    }

    /// Bytes that could not be decoded, and may be secret.
    static func undecoded(_ bytes: ArraySlice<UInt8>, _ problem: String? = nil) -> TraceField {
        var field = FieldDecoder.secret(.bytes(Array(bytes)), .possible)
        field.name = "undecoded"
        field.problem = problem
        return field
    }
}
