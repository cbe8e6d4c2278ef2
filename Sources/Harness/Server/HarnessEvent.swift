public import RelyingParty

/// What the server saw in one response: the verdict on it and the HTTP answer given.
public struct HarnessEvent: Hashable, Sendable {
    /// What the response was for.
    public enum Ceremony: String, Hashable, Sendable, Codable, CaseIterable {
        case registration, signIn, reauthentication
    }

    /// What the response was for.
    public let ceremony: Ceremony
    /// Every step and its outcome.
    ///
    /// A response can be refused although every step passed, by a rule that is not WebAuthn's: see ``errorCode``.
    public let ledger: Ledger
    /// The HTTP status of the answer.
    public let status: Int
    /// The error code of the answer; nil when the response was accepted.
    public let errorCode: String?
    /// The account the ceremony ended in or was meant for, where it is known.
    public let username: String?
    /// The credential ID stated, where the response could be read.
    public let credentialID: [UInt8]?
}
