public import COSE
public import WebAuthn

/// What a relying party expects of a registration's response.
public struct RegistrationExpectation: Sendable {
    /// What it expects of any response.
    public var ceremony: CeremonyExpectation
    /// The algorithms it offered in `pubKeyCredParams`.
    public var algorithms: [COSE.Algorithm]
    /// The user handle named in the options: the account that is to receive the credential, 1 to 64 bytes.
    public var userHandle: [UInt8]
    /// The user handle of the account that sends the response; nil where sending it needs no account.
    public var completingUserHandle: [UInt8]?
    /// Whether UP must be set: false only for a conditional create (WebAuthn L3 §7.1 step 15).
    public var requiresUserPresence: Bool
    /// What the options said about discoverability; only `required` is enforced, and only against `credProps`.
    public var residentKey: ResidentKeyRequirement
    /// What attestation it accepts.
    public var attestation: AttestationPolicy
    /// What extension outputs it puts up with.
    public var extensions: ExtensionPolicy
    /// Looks up a credential ID among all users' credentials.
    public var owner: @Sendable ([UInt8]) -> CredentialOwner

    /// An expectation; attestation of every kind is accepted without being trusted unless said otherwise.
    public init(
        ceremony: CeremonyExpectation, algorithms: [COSE.Algorithm], userHandle: [UInt8],
        completingUserHandle: [UInt8]?, requiresUserPresence: Bool = true,
        residentKey: ResidentKeyRequirement = .discouraged, attestation: AttestationPolicy = .notAssessed,
        extensions: ExtensionPolicy = ExtensionPolicy(), owner: @escaping @Sendable ([UInt8]) -> CredentialOwner
    ) {
        self.ceremony = ceremony
        self.algorithms = algorithms
        self.userHandle = userHandle
        self.completingUserHandle = completingUserHandle
        self.requiresUserPresence = requiresUserPresence
        self.residentKey = residentKey
        self.attestation = attestation
        self.extensions = extensions
        self.owner = owner
    }
}

/// To whom a credential ID is registered.
public enum CredentialOwner: String, Hashable, Sendable, CaseIterable {
    case nobody, thisUser, otherUser
}

/// What a relying party does with extension outputs it did not ask for (WebAuthn L3 §7.1 step 28).
public struct ExtensionPolicy: Hashable, Sendable {
    /// The identifiers of the extensions it asked for.
    public var requested: Set<String>
    /// Whether outputs of other extensions are refused rather than ignored.
    public var refusesUnsolicited: Bool

    /// A policy; by default unsolicited outputs are ignored.
    public init(requested: Set<String> = [], refusesUnsolicited: Bool = false) {
        self.requested = requested
        self.refusesUnsolicited = refusesUnsolicited
    }
}
