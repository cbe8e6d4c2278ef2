/// `RegistrationResponseJSON`: the result of create() (WebAuthn L3 §5.1.8.1).
public typealias RegistrationResponse = PublicKeyCredentialResponse<AttestationResponse>

/// `AuthenticationResponseJSON`: the result of get() (WebAuthn L3 §5.1.8.2).
public typealias AuthenticationResponse = PublicKeyCredentialResponse<AssertionResponse>

/// A public-key credential as JSON: the result of create() or get().
public struct PublicKeyCredentialResponse<Response: Hashable & Sendable & Codable>: Hashable, Sendable, Codable {
    /// The credential ID in base64url.
    public var id: String
    /// The credential ID.
    public var rawId: Base64URLBytes
    /// The credential type: `public-key`.
    public var type: String
    /// The attachment: `platform` or `cross-platform`; nil when the client does not report it.
    public var authenticatorAttachment: String?
    /// The outputs of the client extensions.
    public var clientExtensionResults: ClientExtensionResults
    /// The authenticator's response.
    public var response: Response

    /// A response for a credential; ``id`` and ``rawId`` follow from its ID.
    public init(
        credentialID: [UInt8], authenticatorAttachment: AuthenticatorAttachment?,
        clientExtensionResults: ClientExtensionResults = ClientExtensionResults(), response: Response
    ) {
        id = Base64URL.encode(credentialID)
        rawId = Base64URLBytes(credentialID)
        type = "public-key"
        self.authenticatorAttachment = authenticatorAttachment?.rawValue
        self.clientExtensionResults = clientExtensionResults
        self.response = response
    }
}

/// The `AuthenticatorAttestationResponseJSON` of a registration (WebAuthn L3 §5.1.8.1).
public struct AttestationResponse: Hashable, Sendable, Codable {
    /// The client data, as the authenticator's signature covers it.
    public var clientDataJSON: Base64URLBytes
    /// The attestation object (``AttestationObject``).
    public var attestationObject: Base64URLBytes
    /// A copy of the authenticator data in the attestation object; a relying party must not trust it.
    public var authenticatorData: Base64URLBytes?
    /// The transports the authenticator supports, such as `usb`.
    public var transports: [AuthenticatorTransport]?
    /// The public key as `SubjectPublicKeyInfo` in DER; nil for a key the client does not understand.
    public var publicKey: Base64URLBytes?
    /// The key's COSE algorithm.
    public var publicKeyAlgorithm: Int?

    /// A response from the bytes of its members.
    public init(
        clientDataJSON: [UInt8], attestationObject: [UInt8], authenticatorData: [UInt8]? = nil,
        transports: [AuthenticatorTransport]? = nil, publicKey: [UInt8]? = nil, publicKeyAlgorithm: Int? = nil
    ) {
        self.clientDataJSON = Base64URLBytes(clientDataJSON)
        self.attestationObject = Base64URLBytes(attestationObject)
        self.authenticatorData = authenticatorData.map { Base64URLBytes($0) }
        self.transports = transports
        self.publicKey = publicKey.map { Base64URLBytes($0) }
        self.publicKeyAlgorithm = publicKeyAlgorithm
    }
}

/// The `AuthenticatorAssertionResponseJSON` of an authentication (WebAuthn L3 §5.1.8.2).
public struct AssertionResponse: Hashable, Sendable, Codable {
    /// The client data, as the authenticator's signature covers it.
    public var clientDataJSON: Base64URLBytes
    /// The authenticator data (``AuthenticatorData``).
    public var authenticatorData: Base64URLBytes
    /// The signature over the authenticator data and SHA-256 of the client data.
    public var signature: Base64URLBytes
    /// The user handle; nil when the authenticator does not return one.
    public var userHandle: Base64URLBytes?

    /// A response from the bytes of its members.
    public init(clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]?) {
        self.clientDataJSON = Base64URLBytes(clientDataJSON)
        self.authenticatorData = Base64URLBytes(authenticatorData)
        self.signature = Base64URLBytes(signature)
        self.userHandle = userHandle.map { Base64URLBytes($0) }
    }
}
