internal import CBOR
internal import CTAP

/// One change to a valid request, and the statuses that refuse the result.
struct RequestChange: Sendable {
    /// The end of the case's identifier, such as `missing.keyAgreement`.
    let name: String
    /// The change in words, such as "without keyAgreement".
    let words: String
    let statuses: [CTAPStatus]
    let apply: @Sendable (inout CBOR.Map) -> Void

    init(
        _ name: String, _ words: String, _ statuses: [CTAPStatus],
        apply: @escaping @Sendable (inout CBOR.Map) -> Void
    ) {
        self.name = name
        self.words = words
        self.statuses = statuses
        self.apply = apply
    }

    static func missing(_ key: Int, _ member: String, _ statuses: [CTAPStatus] = [.missingParameter]) -> RequestChange {
        RequestChange("missing.\(member)", "without \(member)", statuses) { $0[key] = nil }
    }

    static func wrongType(
        _ key: Int, _ member: String, _ value: CBOR.Value, _ statuses: [CTAPStatus] = Self.wrongTypeStatuses
    ) -> RequestChange {
        RequestChange("wrongType.\(member)", "with \(member) as a \(value.kind.rawValue)", statuses) { $0[key] = value }
    }

    static func value(
        _ name: String, _ words: String, _ key: Int, _ value: CBOR.Value, _ statuses: [CTAPStatus]
    ) -> RequestChange {
        RequestChange(name, words, statuses) { $0[key] = value }
    }

    /// The statuses for a member of an unexpected type: its own, or the general one for the CBOR of a command (§8.2).
    static let wrongTypeStatuses: [CTAPStatus] = [.cborUnexpectedType, .invalidCBOR]
}
