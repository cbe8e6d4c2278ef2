/// How a registration came out.
public struct RegistrationVerdict: Hashable, Sendable {
    /// Every step and its outcome.
    public let ledger: Ledger
    /// What to store; nil unless every check passed.
    public let credential: VerifiedCredential?

    /// The credential.
    ///
    /// - Throws: ``VerificationError`` with the ledger when the response was not accepted.
    public func get() throws(VerificationError) -> VerifiedCredential {
        guard let credential else { throw VerificationError(ledger: ledger) }
        return credential
    }
}

/// A new credential that passed every check.
public struct VerifiedCredential: Hashable, Sendable {
    /// The record to store in the account of ``CredentialRecord/userHandle``.
    public let record: CredentialRecord
    /// The attestation statement's format.
    public let attestationFormat: String
    /// What the attestation amounts to.
    public let attestation: AttestationResult
    /// Whether a trust anchor vouches for the model: only then does the AAGUID prove anything.
    public let isAttestationTrusted: Bool
}
