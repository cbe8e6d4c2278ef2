internal import CBOR
internal import CTAP
internal import WebAuthn

extension AuthenticatorInfo {
    /// Reads an answer to getInfo as far as its members have their types; the cases of the types fail for the others.
    ///
    /// An unreadable AAGUID counts as all zeros. An option that is not a boolean counts as absent.
    ///
    /// - Throws: `CBOR.AccessError` for an answer without a readable `versions`.
    init(readable map: CBOR.Map) throws(CBOR.AccessError) {
        var readable = map
        let required: [InfoMember] = [.versions, .aaguid]
        var least = CBOR.Map()
        for member in required { least[member.rawValue] = map[member.rawValue] }
        if (try? AuthenticatorInfo(cbor: .map(least))) == nil {
            least[InfoMember.aaguid.rawValue] = .bytes(AAGUID.zero.bytes)
            readable[InfoMember.aaguid.rawValue] = least[InfoMember.aaguid.rawValue]
        }
        if case .map(let options)? = map[InfoMember.options.rawValue] {
            let flags = options.filter { $0.value.kind == .boolean }
            readable[InfoMember.options.rawValue] = .map(CBOR.Map(uncheckedEntries: flags))
        }
        for member in InfoMember.allCases where !required.contains(member) {
            guard let value = readable[member.rawValue] else { continue }
            var single = least
            single[member.rawValue] = value
            if (try? AuthenticatorInfo(cbor: .map(single))) == nil { readable[member.rawValue] = nil }
        }
        try self.init(cbor: .map(readable))
    }
}
