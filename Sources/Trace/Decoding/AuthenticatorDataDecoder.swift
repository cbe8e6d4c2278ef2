internal import CBOR
internal import WebAuthn

/// Takes authenticator data apart, as far as it goes (WebAuthn L3 §6.1).
///
/// Unlike the strict reader it keeps what came before a mistake: a trace of a broken device is what it is for.
enum AuthenticatorDataDecoder {
    private static let flagNames = [
        "user present (UP)", "reserved bit 1", "user verified (UV)", "backup eligible (BE)", "backed up (BS)",
        "reserved bit 5", "attested credential data (AT)", "extension outputs (ED)",
    ]

    /// Its parts; the last one is what could not be read, if anything.
    static func fields(_ bytes: [UInt8], outputs: [Member]) -> [TraceField] {
        var cursor = Cursor(rest: bytes[...])
        var fields: [TraceField] = []
        guard let hash = cursor.take(32), let flag = cursor.take(1)?.first, let counter = cursor.take(4) else {
            return [undecoded(bytes[...], "authenticator data has at least 37 bytes")]
        }
        let flags = AuthenticatorDataFlags(rawValue: flag)
        fields.append(bytesField("rpIdHash", hash))
        fields.append(integer("flags", Int(flag), meaning: words(flag)))
        fields.append(integer("signCount", counter.reduce(0) { $0 << 8 | Int($1) }))
        if flags.contains(.attestedCredentialData) {
            guard let aaguid = cursor.take(16), let length = cursor.take(2)?.reduce(0, { $0 << 8 | Int($1) }),
                let id = cursor.take(length)
            else { return fields + [undecoded(cursor.rest, "attested credential data ends early")] }
            fields.append(bytesField("aaguid", aaguid, meaning: AAGUID(bytes: Array(aaguid))?.description))
            fields.append(bytesField("credentialId", id))
            let problem = cursor.append("credentialPublicKey", as: .coseKey, to: &fields)
            if let problem { return fields + [undecoded(cursor.rest, problem)] }
        }
        if flags.contains(.extensionData) {
            let problem = cursor.append("extensions", as: .members(outputs), to: &fields)
            if let problem { return fields + [undecoded(cursor.rest, problem)] }
        }
        return cursor.rest.isEmpty ? fields : fields + [undecoded(cursor.rest, "bytes follow what the flags announce")]
    }

    private struct Cursor {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        /// Reads one item of CBOR; gives the reason when there is none.
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

    private static func words(_ flags: UInt8) -> String {
        let words = flagNames.enumerated().filter { flags >> UInt8($0.offset) & 1 == 1 }.map(\.element)
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }

    private static func bytesField(
        _ name: String, _ bytes: ArraySlice<UInt8>, meaning: String? = nil
    ) -> TraceField {
        TraceField(name: name, type: .bytes, value: Hex.encode(bytes), meaning: meaning, length: bytes.count)
    }

    private static func integer(_ name: String, _ number: Int, meaning: String? = nil) -> TraceField {
        TraceField(name: name, type: .integer, value: "\(number)", meaning: meaning)
    }

    private static func undecoded(_ bytes: ArraySlice<UInt8>, _ problem: String) -> TraceField {
        var field = FieldDecoder.secret(.bytes(Array(bytes)), .possible)
        field.name = "undecoded"
        field.problem = problem
        return field
    }
}
