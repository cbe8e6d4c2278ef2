internal import CBOR
internal import CTAP
internal import WebAuthn

/// An answer to getInfo as python-fido2 prints it: `Info(versions=['FIDO_2_0'], …, max_msg_size=1200)`.
enum PythonInfo {
    /// Python's names that differ from the specification's in more than their form.
    private static let names = [
        "max_creds_in_list": "maxCredentialCountInList", "max_cred_id_length": "maxCredentialIdLength",
        "max_large_blob": "maxSerializedLargeBlobArray", "max_rpids_for_min_pin": "maxRPIDsForSetMinPINLength",
        "remaining_disc_creds": "remainingDiscoverableCredentials", "pin_uv_protocols": "pinUvAuthProtocols",
    ]

    /// Values that Python also prints for members that the answer lacks; 0 stands for nothing else.
    private static let defaults: [InfoMember: CBOR.Value] = [
        .attestationFormats: ["packed"], .uvModality: 0, .preferredPlatformUvAttempts: 0,
        .maxRPIDsForSetMinPINLength: 0, .forcePINChange: false, .longTouchForReset: false, .maxPINLength: 63,
    ]

    /// The answer; nil for another text.
    static func answer(_ text: Substring) -> PrintedInfo? {
        guard text.hasPrefix("Info("), text.hasSuffix(")") else { return nil }
        var info = PrintedInfo(map: CBOR.Map(), uncertain: [])
        var rest = text.dropFirst("Info(".count).dropLast()
        while let sign = rest.firstIndex(of: "=") {
            let name = rest[..<sign].trimmed
            let value = self.value(rest[rest.index(after: sign)...])
            rest = rest[value.endIndex...].drop { $0 == "," || $0.isWhitespace }
            // `max_msg_size` is maxMsgSize.
            let wanted = (names[String(name)] ?? name.filter { $0 != "_" }).lowercased()
            let member = InfoMember.allCases.first { "\($0)".lowercased() == wanted }
            guard let member, let item = item(value.trimmed) else { continue }
            guard item != defaults[member] else {
                if member == .attestationFormats { info.uncertain.insert(member) }
                continue
            }
            info.map[member.rawValue] = item
        }
        return info.map[InfoMember.versions.rawValue] == nil ? nil : info
    }

    /// The text up to the comma after a value.
    private static func value(_ text: Substring) -> Substring {
        var depth = 0
        let end = text.firstIndex { character in
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            return character == "," && depth == 0
        }
        return text[..<(end ?? text.endIndex)]
    }

    /// Nil for absent members, which Python prints as None or as an empty list.
    private static func item(_ text: Substring) -> CBOR.Value? {
        if text.hasPrefix("AAGUID(") {
            let digits = text.dropFirst("AAGUID(".count).dropLast().filter(HexDamage.isDigit)
            return Hex.decode(digits).flatMap { $0.count == 16 ? .bytes($0) : nil }
        }
        guard case .array(let items)? = DiagnosticText.item("[" + text + "]"), let item = items.first, item != .null,
            item != .array([])
        else { return nil }
        if case .map(let map) = item, map.isEmpty { return nil }
        return item
    }
}
