/// `RegistrationResponseJSON`: what a client returns from create() (WebAuthn L3 §5.1.8.1).
public struct RegistrationResponse: Hashable, Sendable, Codable {
    public var id: String
    public var rawId: Base64URLBytes
    public var type: String
    public var authenticatorAttachment: String?
    public var clientExtensionResults: ClientExtensionResults
    public var response: Attestation

    /// The `AuthenticatorAttestationResponseJSON` inside.
    public struct Attestation: Hashable, Sendable, Codable {
        public var clientDataJSON: Base64URLBytes
        public var attestationObject: Base64URLBytes
        /// Convenience copies of what the attestation object holds; a relying party must not trust them.
        public var authenticatorData: Base64URLBytes?
        public var transports: [String]?
        /// The public key as `SubjectPublicKeyInfo` in DER; nil for a key the client does not understand.
        public var publicKey: Base64URLBytes?
        public var publicKeyAlgorithm: Int?

        public init(
            clientDataJSON: [UInt8], attestationObject: [UInt8], authenticatorData: [UInt8]? = nil,
            transports: [String]? = nil, publicKey: [UInt8]? = nil, publicKeyAlgorithm: Int? = nil
        ) {
            self.clientDataJSON = Base64URLBytes(clientDataJSON)
            self.attestationObject = Base64URLBytes(attestationObject)
            self.authenticatorData = authenticatorData.map { Base64URLBytes($0) }
            self.transports = transports
            self.publicKey = publicKey.map { Base64URLBytes($0) }
            self.publicKeyAlgorithm = publicKeyAlgorithm
        }
    }

    public init(
        credentialID: [UInt8], authenticatorAttachment: AuthenticatorAttachment?,
        clientExtensionResults: ClientExtensionResults = ClientExtensionResults(), response: Attestation
    ) {
        id = Base64URL.encode(credentialID)
        rawId = Base64URLBytes(credentialID)
        type = "public-key"
        self.authenticatorAttachment = authenticatorAttachment?.rawValue
        self.clientExtensionResults = clientExtensionResults
        self.response = response
    }
}

/// `AuthenticationResponseJSON`: what a client returns from get() (WebAuthn L3 §5.1.8.2).
public struct AuthenticationResponse: Hashable, Sendable, Codable {
    public var id: String
    public var rawId: Base64URLBytes
    public var type: String
    public var authenticatorAttachment: String?
    public var clientExtensionResults: ClientExtensionResults
    public var response: Assertion

    /// The `AuthenticatorAssertionResponseJSON` inside.
    public struct Assertion: Hashable, Sendable, Codable {
        public var clientDataJSON: Base64URLBytes
        public var authenticatorData: Base64URLBytes
        public var signature: Base64URLBytes
        public var userHandle: Base64URLBytes?

        public init(
            clientDataJSON: [UInt8], authenticatorData: [UInt8], signature: [UInt8], userHandle: [UInt8]?
        ) {
            self.clientDataJSON = Base64URLBytes(clientDataJSON)
            self.authenticatorData = Base64URLBytes(authenticatorData)
            self.signature = Base64URLBytes(signature)
            self.userHandle = userHandle.map { Base64URLBytes($0) }
        }
    }

    public init(
        credentialID: [UInt8], authenticatorAttachment: AuthenticatorAttachment?,
        clientExtensionResults: ClientExtensionResults = ClientExtensionResults(), response: Assertion
    ) {
        id = Base64URL.encode(credentialID)
        rawId = Base64URLBytes(credentialID)
        type = "public-key"
        self.authenticatorAttachment = authenticatorAttachment?.rawValue
        self.clientExtensionResults = clientExtensionResults
        self.response = response
    }
}
