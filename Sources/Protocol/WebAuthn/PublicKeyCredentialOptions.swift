/// The user verification a relying party asks for (WebAuthn L3 §5.8.6).
public enum UserVerificationRequirement: String, Codable, Sendable, CaseIterable {
    case required, preferred, discouraged
}

/// A relying party's preference for a discoverable credential (WebAuthn L3 §5.4.6).
public enum ResidentKeyRequirement: String, Codable, Sendable, CaseIterable {
    case required, preferred, discouraged
}

/// The attachment of an authenticator (WebAuthn L3 §5.4.5).
public enum AuthenticatorAttachment: String, Codable, Sendable, CaseIterable {
    case platform
    case crossPlatform = "cross-platform"
}

/// The attestation a relying party asks for (WebAuthn L3 §5.4.7).
public enum AttestationConveyancePreference: String, Codable, Sendable, CaseIterable {
    case none, indirect, direct, enterprise
}

/// The relying party's entity (WebAuthn L3 §5.4.2).
public struct RelyingPartyEntity: Hashable, Sendable, Codable {
    /// The RP ID, a domain; when nil the client takes the caller's effective domain.
    public var id: String?
    /// The name shown to the user.
    public var name: String

    /// An entity of an RP ID and a name.
    public init(id: String?, name: String) {
        self.id = id
        self.name = name
    }
}

/// The user's account (WebAuthn L3 §5.4.3).
public struct UserEntity: Hashable, Sendable, Codable {
    /// The user handle, 1 to 64 bytes.
    public var id: Base64URLBytes
    /// The account's name, such as an e-mail address.
    public var name: String
    /// The name the user chose to be addressed by.
    public var displayName: String

    /// An account of a user handle and two names.
    public init(id: [UInt8], name: String, displayName: String) {
        self.id = Base64URLBytes(id)
        self.name = name
        self.displayName = displayName
    }
}

/// One acceptable kind of key (WebAuthn L3 §5.3).
public struct CredentialParameters: Hashable, Sendable, Codable {
    /// The credential type; `public-key` is the only one defined.
    public var type: String
    /// The COSE algorithm.
    public var alg: Int

    /// A credential type and a COSE algorithm.
    public init(type: String = "public-key", alg: Int) {
        self.type = type
        self.alg = alg
    }
}

/// One credential, as a list of allowed or excluded ones names it (WebAuthn L3 §5.8.3).
public struct CredentialDescriptor: Hashable, Sendable, Codable {
    /// The credential type; unknown types are skipped.
    public var type: String
    /// The credential's ID.
    public var id: Base64URLBytes
    /// The transports the relying party remembers.
    public var transports: [AuthenticatorTransport]?

    /// A credential by its ID.
    public init(type: String = "public-key", id: [UInt8], transports: [AuthenticatorTransport]? = nil) {
        self.type = type
        self.id = Base64URLBytes(id)
        self.transports = transports
    }
}

/// The relying party's requirements for the authenticator (WebAuthn L3 §5.4.4).
public struct AuthenticatorSelection: Hashable, Sendable, Codable {
    /// The wanted attachment; nil accepts both.
    public var authenticatorAttachment: AuthenticatorAttachment?
    /// Whether the credential is to be discoverable.
    public var residentKey: ResidentKeyRequirement?
    /// Level 1's spelling of `residentKey: required`.
    public var requireResidentKey: Bool?
    /// Whether the user is to be verified; absent means preferred.
    public var userVerification: UserVerificationRequirement?

    /// A selection; ``requireResidentKey`` follows from `residentKey`.
    public init(
        authenticatorAttachment: AuthenticatorAttachment? = nil, residentKey: ResidentKeyRequirement? = nil,
        userVerification: UserVerificationRequirement? = nil
    ) {
        self.authenticatorAttachment = authenticatorAttachment
        self.residentKey = residentKey
        self.requireResidentKey = residentKey.map { $0 == .required }
        self.userVerification = userVerification
    }

    /// The resident-key requirement; Level 1's member counts when the newer one is absent.
    public var effectiveResidentKey: ResidentKeyRequirement {
        residentKey ?? (requireResidentKey == true ? .required : .discouraged)
    }
}

/// `PublicKeyCredentialCreationOptionsJSON` (WebAuthn L3 §5.1.9).
public struct CreationOptions: Hashable, Sendable, Codable {
    /// The relying party.
    public var rp: RelyingPartyEntity
    /// The account.
    public var user: UserEntity
    /// The challenge, at least 16 bytes.
    public var challenge: Base64URLBytes
    /// The acceptable kinds of key, most preferred first.
    public var pubKeyCredParams: [CredentialParameters]
    /// Milliseconds the client may take.
    public var timeout: UInt32?
    /// The account's credentials; an authenticator that holds one of them makes no other.
    public var excludeCredentials: [CredentialDescriptor]?
    /// The requirements for the authenticator.
    public var authenticatorSelection: AuthenticatorSelection?
    /// Hints for the client's dialogue, such as `security-key`.
    public var hints: [String]?
    /// The attestation asked for; absent means none.
    public var attestation: AttestationConveyancePreference?
    /// The attestation formats, most preferred first.
    public var attestationFormats: [String]?
    /// The requested client extensions; unknown ones are skipped.
    public var extensions: ClientExtensionInputs?

    /// Options with the members this library writes.
    public init(
        rp: RelyingPartyEntity, user: UserEntity, challenge: [UInt8], pubKeyCredParams: [CredentialParameters],
        timeout: UInt32? = nil, excludeCredentials: [CredentialDescriptor]? = nil,
        authenticatorSelection: AuthenticatorSelection? = nil,
        attestation: AttestationConveyancePreference? = nil, extensions: ClientExtensionInputs? = nil
    ) {
        self.rp = rp
        self.user = user
        self.challenge = Base64URLBytes(challenge)
        self.pubKeyCredParams = pubKeyCredParams
        self.timeout = timeout
        self.excludeCredentials = excludeCredentials
        self.authenticatorSelection = authenticatorSelection
        self.attestation = attestation
        self.extensions = extensions
    }
}

/// `PublicKeyCredentialRequestOptionsJSON` (WebAuthn L3 §5.1.10).
public struct RequestOptions: Hashable, Sendable, Codable {
    /// The challenge, at least 16 bytes.
    public var challenge: Base64URLBytes
    /// Milliseconds the client may take.
    public var timeout: UInt32?
    /// The RP ID; absent means the caller's effective domain.
    public var rpId: String?
    /// The acceptable credentials; absent or empty asks for a discoverable one.
    public var allowCredentials: [CredentialDescriptor]?
    /// Whether the user is to be verified; absent means preferred.
    public var userVerification: UserVerificationRequirement?
    /// Hints for the client's dialogue, such as `security-key`.
    public var hints: [String]?
    /// The requested client extensions; unknown ones are skipped.
    public var extensions: ClientExtensionInputs?

    /// Options with the members this library writes.
    public init(
        challenge: [UInt8], timeout: UInt32? = nil, rpId: String? = nil,
        allowCredentials: [CredentialDescriptor]? = nil, userVerification: UserVerificationRequirement? = nil,
        extensions: ClientExtensionInputs? = nil
    ) {
        self.challenge = Base64URLBytes(challenge)
        (self.timeout, self.rpId, self.allowCredentials) = (timeout, rpId, allowCredentials)
        (self.userVerification, self.extensions) = (userVerification, extensions)
    }
}
