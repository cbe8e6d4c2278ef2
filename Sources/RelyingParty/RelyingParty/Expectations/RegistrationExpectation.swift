public import COSE
public import WebAuthn

/// A relying party's expectations of a registration's response.
public struct RegistrationExpectation: Sendable {
    /// The expectations of any response.
    public var ceremony: CeremonyExpectation
    /// The algorithms offered in `pubKeyCredParams`.
    public var algorithms: [COSE.Algorithm]
    /// The user handle in the options, 1 to 64 bytes: the account that receives the credential.
    public var userHandle: [UInt8]
    /// The user handle of the account that sends the response; nil when sending it needs no account.
    public var completingUserHandle: [UInt8]?
    /// Whether UP must be set; false only for a conditional create (WebAuthn L3 §7.1 step 15).
    public var requiresUserPresence: Bool
    /// The options' requirement for discoverability; only `required` is enforced, and only against `credProps`.
    public var residentKey: ResidentKeyRequirement
    /// The attestation policy.
    public var attestation: AttestationPolicy
    /// The moment of judging, since the Unix epoch: certificates must be valid, and reports about models count, at it.
    public var now: Duration
    /// The policy for extension outputs.
    public var extensions: ExtensionPolicy
    /// Looks up the owner of a credential ID among all users' credentials.
    public var owner: @Sendable ([UInt8]) -> CredentialOwner

    /// Creates an expectation; default: attestation of every kind is accepted without assessing trust.
    public init(
        ceremony: CeremonyExpectation, algorithms: [COSE.Algorithm], userHandle: [UInt8],
        completingUserHandle: [UInt8]?, requiresUserPresence: Bool = true,
        residentKey: ResidentKeyRequirement = .discouraged, attestation: AttestationPolicy = .notAssessed,
        now: Duration,
        extensions: ExtensionPolicy = ExtensionPolicy(), owner: @escaping @Sendable ([UInt8]) -> CredentialOwner
    ) {
        self.ceremony = ceremony
        self.algorithms = algorithms
        self.userHandle = userHandle
        self.completingUserHandle = completingUserHandle
        self.requiresUserPresence = requiresUserPresence
        self.residentKey = residentKey
        self.attestation = attestation
        self.now = now
        self.extensions = extensions
        self.owner = owner
    }
}

/// The owner of a registered credential ID.
public enum CredentialOwner: String, Hashable, Sendable, CaseIterable {
    /// The credential ID is not registered.
    case unregistered
    /// The user of this registration.
    case thisUser
    /// Another user.
    case otherUser
}

/// A relying party's policy for extension outputs (WebAuthn L3 §7.1 step 28).
public struct ExtensionPolicy: Hashable, Sendable {
    /// The identifiers of the requested extensions.
    public var requested: Set<String>
    /// Whether outputs of other extensions are refused; otherwise they are ignored.
    public var refusesUnsolicited: Bool
    /// The requested `credentialProtectionPolicy`; nil when none was requested.
    public var credentialProtection: CredentialProtectionPolicy?
    /// Whether a credential with a weaker protection, or with none stated, is refused.
    ///
    /// Otherwise a weaker protection is flagged, and a missing statement accepted.
    public var enforcesCredentialProtection: Bool

    /// Creates a policy; default: unsolicited outputs are ignored, and no protection was requested.
    public init(
        requested: Set<String> = [], refusesUnsolicited: Bool = false,
        credentialProtection: CredentialProtectionPolicy? = nil, enforcesCredentialProtection: Bool = false
    ) {
        (self.requested, self.refusesUnsolicited) = (requested, refusesUnsolicited)
        self.credentialProtection = credentialProtection
        self.enforcesCredentialProtection = enforcesCredentialProtection
    }
}
