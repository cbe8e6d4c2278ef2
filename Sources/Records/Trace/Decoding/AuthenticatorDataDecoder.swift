internal import CBOR
internal import WebAuthn

/// Decodes authenticator data as far as possible (WebAuthn L3 §6.1).
///
/// Unlike the strict parser it keeps the part before an error, so that a trace of a broken device is readable.
enum AuthenticatorDataDecoder {
    private static let flagNames = [
        "user present (UP)", "reserved bit 1", "user verified (UV)", "backup eligible (BE)", "backed up (BS)",
        "reserved bit 5", "attested credential data (AT)", "extension outputs (ED)",
    ]

    /// The parts; bytes that cannot be decoded are the last one.
    static func fields(_ bytes: [UInt8], outputs: [MapMember]) -> [TraceField] {
        var cursor = ByteCursor(rest: bytes[...])
        var fields: [TraceField] = []
        guard let hash = cursor.take(32), let flag = cursor.take(1)?.first, let counter = cursor.take(4) else {
            return [.undecoded(bytes[...], "authenticator data has at least 37 bytes")]
        }
        let flags = AuthenticatorDataFlags(rawValue: flag)
        fields.append(.bytes("rpIdHash", hash))
        fields.append(.integer("flags", Int(flag), meaning: words(flag)))
        fields.append(.integer("signCount", counter.reduce(0) { $0 << 8 | Int($1) }))
        if flags.contains(.attestedCredentialData) {
            let attested = cursor.rest
            guard let aaguid = cursor.take(16), let length = cursor.take(2)?.reduce(0, { $0 << 8 | Int($1) }),
                let id = cursor.take(length)
            else { return fields + [.undecoded(attested, "attested credential data ends early")] }
            fields.append(.bytes("aaguid", aaguid, meaning: AAGUID(bytes: Array(aaguid))?.description))
            fields.append(.bytes("credentialId", id))
            let problem = cursor.append("credentialPublicKey", as: .coseKey, to: &fields)
            if let problem { return fields + [.undecoded(cursor.rest, problem)] }
        }
        if flags.contains(.extensionData) {
            let problem = cursor.append("extensions", as: .members(outputs), to: &fields)
            if let problem { return fields + [.undecoded(cursor.rest, problem)] }
        }
        return cursor.rest.isEmpty
            ? fields : fields + [.undecoded(cursor.rest, "bytes follow the parts that the flags announce")]
    }

    private static func words(_ flags: UInt8) -> String {
        let words = flagNames.enumerated().filter { flags >> UInt8($0.offset) & 1 == 1 }.map(\.element)
        return words.isEmpty ? "none" : words.joined(separator: ", ")
    }
}
