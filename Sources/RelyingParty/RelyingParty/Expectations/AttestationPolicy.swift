public import WebAuthn

/// What attestation a relying party accepts, and whom it trusts to vouch for an authenticator model.
public struct AttestationPolicy: Hashable, Sendable {
    /// The formats accepted, or nil for every format the verifier knows; of a compound statement, its own format and
    /// those of the statements in it.
    public var acceptedFormats: Set<String>?
    /// Whether a credential without attestation is accepted.
    public var acceptsNone: Bool
    /// Whether self attestation is accepted.
    public var acceptsSelf: Bool
    /// Whom to trust for a certificate path; nil leaves the path unassessed, as when no attestation was asked for.
    public var trustAnchors: TrustAnchors?
    /// The authenticator models accepted, or nil for all.
    ///
    /// A listed model counts only where a trusted path proves it.
    public var acceptedModels: Set<AAGUID>?
    /// The time certificates must be valid at, since the Unix epoch.
    public var now: Duration

    /// A policy that assesses certificate paths against these anchors at this time.
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

    /// Every statement must be valid in its format; nobody is asked to vouch for it.
    public static let notAssessed = AttestationPolicy()
}

/// The certificates a relying party trusts, in DER.
public struct TrustAnchors: Hashable, Sendable {
    /// Trusted for every model.
    public var forAllModels: [[UInt8]]
    /// Trusted for one model each.
    public var byModel: [AAGUID: [[UInt8]]]

    /// A set of anchors.
    public init(forAllModels: [[UInt8]] = [], byModel: [AAGUID: [[UInt8]]] = [:]) {
        self.forAllModels = forAllModels
        self.byModel = byModel
    }

    /// The anchors for a model.
    public func anchors(for model: AAGUID) -> [[UInt8]] {
        forAllModels + (byModel[model] ?? [])
    }
}
