public import WebAuthn

/// A relying party's record of a credential (WebAuthn L3 §4, "credential record").
public struct CredentialRecord: Hashable, Sendable {
    /// The credential type, `public-key`.
    public var type: String
    /// The credential ID, at most 1023 bytes.
    public var id: [UInt8]
    /// The public key as canonical COSE CBOR.
    public var publicKey: [UInt8]
    /// The last signature counter received.
    public var signCount: UInt32
    /// Whether the user was verified in any use of this credential.
    public var uvInitialized: Bool
    /// The transports reported by the client.
    public var transports: [AuthenticatorTransport]
    /// BE at registration; it never changes.
    public var backupEligible: Bool
    /// The last BS received.
    public var backupState: Bool
    /// The authenticator's model; unproven unless the attestation was trusted.
    public var aaguid: AAGUID
    /// The user handle of the credential's owner.
    public var userHandle: [UInt8]
    /// The RP ID the credential is scoped to.
    public var relyingPartyID: String
    /// The attestation object, for a later assessment.
    public var attestationObject: [UInt8]
    /// The client data covered by the attestation.
    public var attestationClientDataJSON: [UInt8]

    /// Creates a record.
    public init(
        type: String = "public-key", id: [UInt8], publicKey: [UInt8], signCount: UInt32, uvInitialized: Bool,
        transports: [AuthenticatorTransport] = [], backupEligible: Bool, backupState: Bool, aaguid: AAGUID,
        userHandle: [UInt8],
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

/// A credential's new state after an accepted authentication, for the relying party to store.
public struct CredentialUpdate: Hashable, Sendable {
    /// The credential's ID.
    public let id: [UInt8]
    /// The user handle of the signed-in user.
    public let userHandle: [UInt8]
    /// The counter received, which under ``CounterPolicy/flag`` may be lower than the stored one.
    public let signCount: UInt32
    /// The BS received.
    public let backupState: Bool
    /// The record's `uvInitialized`; raised only if the expectation authorises it.
    public let uvInitialized: Bool
    /// Whether the user was verified in this authentication.
    public let userVerified: Bool
}
