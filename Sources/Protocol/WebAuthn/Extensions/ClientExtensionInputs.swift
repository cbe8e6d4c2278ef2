/// `AuthenticationExtensionsClientInputsJSON`: the client extensions a page requests (WebAuthn L3 §5.7.1, §10).
///
/// Unknown identifiers are skipped, as clients may skip any extension.
public struct ClientExtensionInputs: Hashable, Sendable, Codable {
    /// Registration: whether to report if the credential is discoverable (WebAuthn L3 §10.1.3).
    public var credProps: Bool?
    /// Both: a pseudo-random function of the credential (WebAuthn L3 §10.1.4).
    public var prf: PRFInputs?
    /// Both: data stored on the authenticator with the credential (WebAuthn L3 §10.1.5).
    public var largeBlob: LargeBlobInputs?
    /// Authentication: the U2F app ID older credentials were made for (WebAuthn L3 §10.1.1).
    public var appid: String?
    /// Registration: the U2F app ID under which excluded credentials may have been made (WebAuthn L3 §10.1.2).
    public var appidExclude: String?
    /// Registration: the verification the credential needs before it is revealed (CTAP 2.3 §12.1).
    public var credentialProtectionPolicy: CredentialProtectionPolicy?
    /// Registration: whether to fail rather than to make a less protected credential (CTAP 2.3 §12.1).
    public var enforceCredentialProtectionPolicy: Bool?
    /// Registration: bytes to store with the credential (CTAP 2.3 §12.2).
    public var credBlob: Base64URLBytes?
    /// Authentication: whether to return those bytes (CTAP 2.3 §12.2).
    public var getCredBlob: Bool?
    /// Registration: whether to state the authenticator's minimum PIN length (CTAP 2.3 §12.5).
    public var minPinLength: Bool?
    /// Registration: whether to state if the authenticator wants complex PINs (CTAP 2.3 §12.6).
    public var pinComplexityPolicy: Bool?
    /// Both: whether to report how the user was verified (WebAuthn L2 §10.3).
    public var uvm: Bool?
    /// Both: payments on other sites (Secure Payment Confirmation §5).
    public var payment: PaymentInputs?

    /// Inputs with the extensions given; byte strings become base64url text in JSON.
    public init(
        credProps: Bool? = nil, prf: PRFInputs? = nil, largeBlob: LargeBlobInputs? = nil, appid: String? = nil,
        appidExclude: String? = nil, credentialProtectionPolicy: CredentialProtectionPolicy? = nil,
        enforceCredentialProtectionPolicy: Bool? = nil, credBlob: [UInt8]? = nil, getCredBlob: Bool? = nil,
        minPinLength: Bool? = nil, pinComplexityPolicy: Bool? = nil, uvm: Bool? = nil, payment: PaymentInputs? = nil
    ) {
        self.credProps = credProps
        self.prf = prf
        self.largeBlob = largeBlob
        self.appid = appid
        self.appidExclude = appidExclude
        self.credentialProtectionPolicy = credentialProtectionPolicy
        self.enforceCredentialProtectionPolicy = enforceCredentialProtectionPolicy
        self.credBlob = credBlob.map { Base64URLBytes($0) }
        (self.getCredBlob, self.minPinLength) = (getCredBlob, minPinLength)
        (self.pinComplexityPolicy, self.uvm, self.payment) = (pinComplexityPolicy, uvm, payment)
    }
}

/// The verification a credential needs before it is revealed (CTAP 2.3 §12.1).
public enum CredentialProtectionPolicy: String, Codable, Sendable, CaseIterable {
    case userVerificationOptional
    case userVerificationOptionalWithCredentialIDList
    case userVerificationRequired

    /// The value on the wire between client and authenticator, 1 to 3; a higher one protects more.
    public var level: Int {
        switch self {
        case .userVerificationOptional: 1
        case .userVerificationOptionalWithCredentialIDList: 2
        case .userVerificationRequired: 3
        }
    }
}

/// The input of `payment`, as far as an authenticator has a part in it (Secure Payment Confirmation §5).
public struct PaymentInputs: Hashable, Sendable, Codable {
    /// Whether the credential may be used, or is used, for payments on other sites.
    public var isPayment: Bool?

    /// The input with its one member.
    public init(isPayment: Bool? = nil) { self.isPayment = isPayment }
}
