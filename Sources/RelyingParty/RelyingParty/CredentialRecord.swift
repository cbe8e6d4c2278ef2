public import WebAuthn

/// What a relying party keeps of a credential (WebAuthn L3 §4, "credential record").
public struct CredentialRecord: Hashable, Sendable {
    /// The credential type, `public-key`.
    public var type: String
    /// The credential ID, at most 1023 bytes.
    public var id: [UInt8]
    /// The public key as canonical COSE CBOR.
    public var publicKey: [UInt8]
    /// The signature counter last received.
    public var signCount: UInt32
    /// Whether the user was ever verified when this credential was used.
    public var uvInitialized: Bool
    /// The transports the client reported.
    public var transports: [String]
    /// BE as it was at registration; it never changes.
    public var backupEligible: Bool
    /// BS as last received.
    public var backupState: Bool
    /// The authenticator's model, unproven unless the attestation was trusted.
    public var aaguid: AAGUID
    /// The handle of the user the credential belongs to.
    public var userHandle: [UInt8]
    /// The relying party's ID it is scoped to.
    public var relyingPartyID: String
    /// The attestation object, for assessing it anew later.
    public var attestationObject: [UInt8]
    /// The client data the attestation covers.
    public var attestationClientDataJSON: [UInt8]

    public init(
        type: String = "public-key", id: [UInt8], publicKey: [UInt8], signCount: UInt32, uvInitialized: Bool,
        transports: [String] = [], backupEligible: Bool, backupState: Bool, aaguid: AAGUID, userHandle: [UInt8],
        relyingPartyID: String, attestationObject: [UInt8] = [], attestationClientDataJSON: [UInt8] = []
    ) {
        self.type = type
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.uvInitialized = uvInitialized
        self.transports = transports
        self.backupEligible = backupEligible
        self.backupState = backupState
        self.aaguid = aaguid
        self.userHandle = userHandle
        self.relyingPartyID = relyingPartyID
        self.attestationObject = attestationObject
        self.attestationClientDataJSON = attestationClientDataJSON
    }
}

/// The state an accepted authentication leaves a credential in; the relying party writes it, the verifier never does.
public struct CredentialUpdate: Hashable, Sendable {
    /// The credential's ID.
    public let id: [UInt8]
    /// The handle of the user who signed in.
    public let userHandle: [UInt8]
    /// The counter as received, which under ``CounterPolicy/flag`` may be lower than the stored one.
    public let signCount: UInt32
    /// BS as received.
    public let backupState: Bool
    /// Raised only where the expectation authorised it.
    public let uvInitialized: Bool
    /// Whether the user was verified this time.
    public let userVerified: Bool
}
