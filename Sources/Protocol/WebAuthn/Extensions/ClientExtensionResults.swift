/// `AuthenticationExtensionsClientOutputsJSON`: an object, empty without requested extensions (WebAuthn L3 §5.8, §9.4).
public struct ClientExtensionResults: Hashable, Sendable, Codable {
    /// `credProps.rk`: whether the credential is discoverable (WebAuthn L3 §10.1.3).
    public var credProps: CredentialProperties?
    /// The output of `prf` (WebAuthn L3 §10.1.4).
    public var prf: PRFOutputs?
    /// The output of `largeBlob` (WebAuthn L3 §10.1.5).
    public var largeBlob: LargeBlobOutputs?
    /// Whether the assertion is about the app ID rather than the RP ID (WebAuthn L3 §10.1.1).
    public var appid: Bool?
    /// True when the client acted on the app ID (WebAuthn L3 §10.1.2).
    public var appidExclude: Bool?
    /// Whether the authenticator stored the bytes (CTAP 2.3 §12.2).
    public var credBlob: Bool?
    /// The stored bytes; empty when there are none (CTAP 2.3 §12.2).
    public var getCredBlob: Base64URLBytes?
    /// Up to three entries of method, key protection and matcher protection, by the FIDO registry (WebAuthn L2 §10.3).
    public var uvm: [[UInt32]]?

    /// The output of `credProps`.
    public struct CredentialProperties: Hashable, Sendable, Codable {
        /// Whether the credential is discoverable; nil when the client does not know.
        public var rk: Bool?

        /// The output with its one member.
        public init(rk: Bool?) { self.rk = rk }
    }

    /// Results with the outputs given; byte strings become base64url text in JSON.
    public init(
        credProps: CredentialProperties? = nil, prf: PRFOutputs? = nil, largeBlob: LargeBlobOutputs? = nil,
        appid: Bool? = nil, appidExclude: Bool? = nil, credBlob: Bool? = nil, getCredBlob: [UInt8]? = nil,
        uvm: [[UInt32]]? = nil
    ) {
        self.credProps = credProps
        self.prf = prf
        self.largeBlob = largeBlob
        self.appid = appid
        self.appidExclude = appidExclude
        self.credBlob = credBlob
        self.getCredBlob = getCredBlob.map { Base64URLBytes($0) }
        self.uvm = uvm
    }
}
