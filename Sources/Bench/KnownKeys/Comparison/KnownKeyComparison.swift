package import CBOR
package import CTAP
package import DeviceProfiles
package import Documents
internal import WebAuthn

/// A key beside the known key of its AAGUID: what it lacks, what it has beyond, what differs.
///
/// What depends on how a key is set up is looked at for presence only: whether there is a PIN, a fingerprint, room for
/// more passkeys.
package struct KnownKeyComparison: Codable, Hashable, Sendable {
    /// The name of the known key.
    package let key: String
    /// What it is.
    package let title: String
    /// The product and firmware its AAGUID stands for; nil for an AAGUID the data file does not have.
    package let model: String?
    /// The differences, in the order of the members.
    package let differences: [InfoDifference]

    /// The differences the data file has no explanation for.
    package var unexplained: [InfoDifference] { differences.filter { $0.explanation == nil } }

    /// Compares an answer as it came with a known key.
    ///
    /// - Parameters:
    ///   - answer: the map of the getInfo answer.
    ///   - usb: how it shows on the USB bus, when that is known.
    /// - Throws: `CBOR.AccessError` when the answer is no map. Values of a wrong type are differences.
    package init(
        of answer: CBOR.Value, usb: USBIdentity? = nil, with known: KnownKey
    ) throws(CBOR.AccessError) {
        let map = try answer.asMap("getInfo")
        key = known.name
        title = known.title
        model = (try? map[InfoMember.aaguid.rawValue]?.asBytes("aaguid"))
            .flatMap { AAGUID(bytes: $0) }.flatMap { known.model($0)?.name }
        var differences = InfoComparer(expected: known.info, answer: map).differences()
        if let usb, !known.usb.isEmpty, !known.usb.contains(where: { $0.id == usb.id }) {
            let ids = known.usb.map(\.id).joined(separator: ", ")
            differences.append(
                InfoDifference(
                    "usb", .different, expected: ids, found: usb.id, "its USB ID is \(usb.id), known is \(ids)"))
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
        return "no public source confirms what is expected here"
    }

    /// Compares what a key says about itself with the known key of its AAGUID, or of its USB ID where the AAGUID of the
    /// known one is not known.
    ///
    /// - Parameter answer: the answer as it came, so that members ``AuthenticatorInfo`` has no place for are told.
    /// - Returns: nil when no known key fits, or the answer is no map.
    /// - Throws: ``SourceError`` when a data file is wrong.
    package static func find(
        for info: AuthenticatorInfo, answer: CBOR.Value? = nil, usb: USBIdentity? = nil, in library: KnownKeyLibrary
    ) throws(SourceError) -> KnownKeyComparison? {
        guard let known = try library.key(with: info.aaguid, usb: usb) else { return nil }
        return try? KnownKeyComparison(of: answer ?? info.cbor, usb: usb, with: known)
    }
}
