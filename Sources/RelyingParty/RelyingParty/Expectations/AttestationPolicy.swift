public import WebAuthn

/// A relying party's policy for attestation: the accepted kinds, formats and models, and the trust anchors.
public struct AttestationPolicy: Hashable, Sendable {
    /// The accepted formats; nil for every supported format.
    ///
    /// A compound statement needs `compound` and the formats of its parts.
    public var acceptedFormats: Set<String>?
    /// Whether a credential without attestation is accepted.
    public var acceptsNone: Bool
    /// Whether self attestation is accepted.
    public var acceptsSelf: Bool
    /// The trust anchors for certificate paths; without these and ``metadata`` paths are not assessed.
    public var trustAnchors: TrustAnchors?
    /// The metadata of authenticator models, with further trust anchors; nil for none.
    public var metadata: MetadataPolicy?
    /// Google's list of revoked attestation keys, for `android-key`; nil leaves revocation unchecked.
    public var androidRevocations: AndroidRevocationList?
    /// The accepted authenticator models; nil for all.
    ///
    /// A listed model is accepted only with a trusted path that proves it, which a `fido-u2f` statement never does: its
    /// signature does not cover the AAGUID.
    public var acceptedModels: Set<AAGUID>?
    /// The rules for statements that the policy adds to those of their formats.
    public var rules: Set<AttestationRule>

    /// Creates a policy that assesses certificate paths against these anchors.
    public init(
        acceptedFormats: Set<String>? = nil, acceptsNone: Bool, acceptsSelf: Bool, trustAnchors: TrustAnchors,
        metadata: MetadataPolicy? = nil, androidRevocations: AndroidRevocationList? = nil,
        acceptedModels: Set<AAGUID>? = nil, rules: Set<AttestationRule> = []
    ) {
        self.acceptedFormats = acceptedFormats
        self.acceptsNone = acceptsNone
        self.acceptsSelf = acceptsSelf
        self.trustAnchors = trustAnchors
        self.metadata = metadata
        self.androidRevocations = androidRevocations
        self.acceptedModels = acceptedModels
        self.rules = rules
    }

    private init() {
        acceptsNone = true
        acceptsSelf = true
        rules = []
    }

    /// Accepts every statement that is valid in its format, without assessing trust.
    public static let notAssessed = AttestationPolicy()
}

/// A rule for attestation statements that WebAuthn leaves to the relying party.
public enum AttestationRule: String, Hashable, Sendable, CaseIterable {
    /// A credential with a `fido-u2f` statement has the AAGUID zero.
    ///
    /// Without the rule another AAGUID is flagged.
    case zeroAAGUIDOfU2F = "u2f-zero-aaguid"
    /// Android's trusted execution environment enforces the key's origin and purpose (WebAuthn L3 §8.4).
    case trustedEnvironmentOfAndroid = "android-trusted-environment"
    /// A TPM's certificate names a manufacturer of TCG's registry (TCG Vendor ID Registry).
    case registeredTPMManufacturer = "tpm-registered-manufacturer"
}

/// The trust anchors of a relying party, as certificates in DER.
///
/// An anchor is the name and the key of its certificate (RFC 5280 §6.1.1 d): another certificate of the same name and key
/// is the same anchor.
public struct TrustAnchors: Hashable, Sendable {
    /// The anchors for every model.
    public var forAllModels: [[UInt8]]
    /// The additional anchors of single models.
    public var byModel: [AAGUID: [[UInt8]]]

    /// Creates a set of anchors.
    public init(forAllModels: [[UInt8]] = [], byModel: [AAGUID: [[UInt8]]] = [:]) {
        self.forAllModels = forAllModels
        self.byModel = byModel
    }

    /// The anchors for a model.
    public func anchors(for model: AAGUID) -> [[UInt8]] { forAllModels + (byModel[model] ?? []) }
}
