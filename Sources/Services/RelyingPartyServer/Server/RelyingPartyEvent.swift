package import RelyingParty

/// The verification of one response: its verdict and the HTTP response.
package struct RelyingPartyEvent: Hashable, Sendable {
    package enum Ceremony: String, Hashable, Sendable, Codable, CaseIterable {
        case registration, signIn, reauthentication
    }

    /// The ceremony of the response.
    package let ceremony: Ceremony
    /// Every step and its outcome.
    ///
    /// A rule outside WebAuthn can refuse a response although every step passed: see ``errorCode``.
    package let ledger: Ledger
    package let status: Int
    /// The error code; nil when the response was accepted.
    package let errorCode: String?
    /// The account of the ceremony, if known.
    package let username: String?
    /// The credential ID in the response, if it could be read.
    package let credentialID: [UInt8]?
}
