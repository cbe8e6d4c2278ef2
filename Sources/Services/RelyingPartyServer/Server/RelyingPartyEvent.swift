package import RelyingParty

/// The verification of one response: its verdict and the HTTP response.
package struct RelyingPartyEvent: Hashable, Sendable {
    package enum Ceremony: String, Hashable, Sendable, Codable, CaseIterable {
        case registration, signIn, reauthentication
    }

    package let ceremony: Ceremony
    /// Every step and its outcome.
    ///
    /// A rule outside WebAuthn can refuse a response although every step passed: see ``errorCode``.
    package let ledger: Ledger
    package let status: Int
    package let errorCode: String?
    package let username: String?
    package let credentialID: [UInt8]?
}
