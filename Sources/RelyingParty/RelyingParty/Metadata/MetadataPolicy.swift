/// A relying party's use of authenticator metadata.
///
/// The entry of a credential's model supplies trust anchors, and the credential is compared with it.
public struct MetadataPolicy: Hashable, Sendable {
    /// The metadata.
    public var blob: MetadataBLOB
    /// The statuses, past ones too, with which a model is refused.
    ///
    /// A compromised attestation certificate refuses only its own paths.
    public var refusedStatuses: Set<AuthenticatorStatus>

    /// Creates a policy; default: a model with a known weakness is refused.
    public init(blob: MetadataBLOB, refusedStatuses: Set<AuthenticatorStatus> = AuthenticatorStatus.compromised) {
        self.blob = blob
        self.refusedStatuses = refusedStatuses
    }
}
