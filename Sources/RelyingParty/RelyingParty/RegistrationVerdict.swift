/// The verdict on a registration.
public struct RegistrationVerdict: Hashable, Sendable {
    /// Every step and its outcome.
    public let ledger: Ledger
    /// The credential to store; nil unless every check passed.
    public let credential: VerifiedCredential?

    /// The credential to store.
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
    /// The result of the attestation.
    public let attestation: AttestationResult
    /// Whether the certificate path leads to a trust anchor.
    public let isAttestationTrusted: Bool
    /// Whether a trusted path also proves the model; otherwise the AAGUID is only a claim.
    public let isModelProven: Bool
}
