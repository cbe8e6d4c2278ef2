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
    /// The trust anchors for certificate paths; nil leaves paths unassessed.
    public var trustAnchors: TrustAnchors?
    /// The accepted authenticator models; nil for all.
    ///
    /// A listed model is accepted only with a trusted path that proves it.
    public var acceptedModels: Set<AAGUID>?
    /// The time at which certificates must be valid, since the Unix epoch.
    public var now: Duration

    /// Creates a policy that assesses certificate paths against these anchors at this time.
    public init(
        acceptedFormats: Set<String>? = nil, acceptsNone: Bool, acceptsSelf: Bool, trustAnchors: TrustAnchors,
        acceptedModels: Set<AAGUID>? = nil, now: Duration
    ) {
        self.acceptedFormats = acceptedFormats
        self.acceptsNone = acceptsNone
        self.acceptsSelf = acceptsSelf
        self.trustAnchors = trustAnchors
        self.acceptedModels = acceptedModels
        self.now = now
    }

    private init() {
        acceptedFormats = nil
        acceptsNone = true
        acceptsSelf = true
        trustAnchors = nil
        acceptedModels = nil
        now = .zero
    }

    /// Accepts every statement that is valid in its format, without assessing trust.
    public static let notAssessed = AttestationPolicy()
}

/// The certificates a relying party trusts, in DER.
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
    public func anchors(for model: AAGUID) -> [[UInt8]] {
        forAllModels + (byModel[model] ?? [])
    }
}
