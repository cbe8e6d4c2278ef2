/// The verdict on an authentication.
public struct AuthenticationVerdict: Hashable, Sendable {
    /// Every step and its outcome.
    public let ledger: Ledger
    /// The state to store; nil unless every check passed.
    public let update: CredentialUpdate?

    /// The state to store.
    ///
    /// - Throws: ``VerificationError`` with the ledger when the response was not accepted.
    public func get() throws(VerificationError) -> CredentialUpdate {
        guard let update else { throw VerificationError(ledger: ledger) }
        return update
    }
}
