package import RelyingParty

/// What the server saw in one response: the verdict on it and the HTTP answer given.
package struct HarnessEvent: Hashable, Sendable {
    /// What the response was for.
    package enum Ceremony: String, Hashable, Sendable, Codable, CaseIterable {
        case registration, signIn, reauthentication
    }

    /// What the response was for.
    package let ceremony: Ceremony
    /// Every step and its outcome.
    ///
    /// A response can be refused although every step passed, by a rule that is not WebAuthn's: see ``errorCode``.
    package let ledger: Ledger
    /// The HTTP status of the answer.
    package let status: Int
    /// The error code of the answer; nil when the response was accepted.
    package let errorCode: String?
    /// The account the ceremony ended in or was meant for, where it is known.
    package let username: String?
    /// The credential ID stated, where the response could be read.
    package let credentialID: [UInt8]?
}
