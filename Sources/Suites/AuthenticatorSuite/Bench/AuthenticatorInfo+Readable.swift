internal import CBOR
internal import CTAP

extension AuthenticatorInfo {
    /// Reads an answer to getInfo as far as its members have their types; the cases of the types fail for the others.
    ///
    /// - Throws: `CBOR.AccessError` for an answer without a readable `versions` or `aaguid`.
    init(readable map: CBOR.Map) throws(CBOR.AccessError) {
        var readable = map
        let required: [InfoMember] = [.versions, .aaguid]
        var least = CBOR.Map()
        for member in required { least[member.rawValue] = map[member.rawValue] }
        for member in InfoMember.allCases where !required.contains(member) {
            guard let value = map[member.rawValue] else { continue }
            var single = least
            single[member.rawValue] = value
            if (try? AuthenticatorInfo(cbor: .map(single))) == nil { readable[member.rawValue] = nil }
        }
        try self.init(cbor: .map(readable))
    }
}
