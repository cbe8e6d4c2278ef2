package import CBOR
package import CTAP
package import DeviceProfiles
package import Documents
internal import WebAuthn

/// The differences between a key and the known key of its AAGUID.
///
/// Members that depend on the key's setup are compared for presence only: a PIN, a fingerprint, room for more passkeys.
package struct KnownKeyComparison: Codable, Hashable, Sendable {
    package let key: String
    package let title: String
    /// The product and firmware its AAGUID stands for; nil for an AAGUID the data file does not list.
    package let model: String?
    /// The differences, in the order of the members.
    package let differences: [InfoDifference]

    /// - Parameter members: the members that are not compared, such as those of which a text does not tell.
    /// - Throws: `CBOR.AccessError` for an answer that is not a map. Values of a wrong type are differences.
    package init(
        of answer: CBOR.Value, usb: USBIdentity? = nil, with known: KnownKey, leavingOut members: Set<InfoMember> = []
    ) throws(CBOR.AccessError) {
        let map = try answer.asMap("getInfo")
        key = known.name
        title = known.title
        model = (try? map[InfoMember.aaguid.rawValue]?.asBytes("aaguid"))
            .flatMap { AAGUID(bytes: $0) }.flatMap { known.model($0)?.name }
        var differences = InfoComparer(expected: known.info, answer: map, omitted: members).differences()
        if let usb, !known.usb.isEmpty, !known.usb.contains(where: { $0.id == usb.id }) {
            let ids = known.usb.map(\.id).joined(separator: ", ")
            differences.append(
                InfoDifference(
                    "usb", .different, expected: ids, found: usb.id, "its USB ID is \(usb.id), expected \(ids)"))
        }
        self.differences = differences.map { difference in
            var difference = difference
            difference.explanation = Self.explanation(of: difference, known)
            return difference
        }
    }

    private static func explanation(of difference: InfoDifference, _ known: KnownKey) -> String? {
        if let exception = known.exceptions.first(where: { $0.place == difference.place }) { return exception.reason }
        let member = difference.place.prefix { $0 != "." }
        let path = member == "usb" ? "usb" : "get-info.\(member)"
        guard known.unverified.contains(path) else { return nil }
        return "no public source confirms the expected value"
    }

    /// Compares a key with the known key of its AAGUID, or of its USB ID when no source gives the known key's AAGUID.
    ///
    /// - Parameter answer: the whole answer, with the members that ``AuthenticatorInfo`` does not know.
    /// - Returns: nil when no known key matches, or when the answer is not a map.
    /// - Throws: ``SourceError`` for an invalid data file.
    package static func find(
        for info: AuthenticatorInfo, answer: CBOR.Value? = nil, usb: USBIdentity? = nil, in library: KnownKeyLibrary
    ) throws(SourceError) -> KnownKeyComparison? {
        guard let known = try library.key(with: info.aaguid, usb: usb) else { return nil }
        return try? KnownKeyComparison(of: answer ?? info.cbor, usb: usb, with: known)
    }
}
