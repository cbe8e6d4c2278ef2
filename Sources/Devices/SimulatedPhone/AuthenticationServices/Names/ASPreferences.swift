// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(AuthenticationServices)
/// A preference for user verification, for systems without Apple's framework.
public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable, Hashable, Sendable {
    /// The name in WebAuthn, such as `preferred`.
    public let rawValue: String
    /// A preference by its name in WebAuthn.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A preference by its name in WebAuthn.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The app does not need user verification.
    public static let discouraged = Self("discouraged")
    /// The device verifies the user if it can; the default.
    public static let preferred = Self("preferred")
    /// The device must verify the user.
    public static let required = Self("required")
}

/// A kind of attestation, for systems without Apple's framework.
public struct ASAuthorizationPublicKeyCredentialAttestationKind: RawRepresentable, Hashable, Sendable {
    /// The name in WebAuthn, such as `direct`.
    public let rawValue: String
    /// A kind by its name in WebAuthn.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A kind by its name in WebAuthn.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// No attestation; the default.
    public static let none = Self("none")
    /// The authenticator's own attestation.
    public static let direct = Self("direct")
    /// An attestation that the platform may make anonymous.
    public static let indirect = Self("indirect")
    /// An attestation that may identify the device, for enterprises.
    public static let enterprise = Self("enterprise")
}

/// A preference for a discoverable credential, for systems without Apple's framework.
public struct ASAuthorizationPublicKeyCredentialResidentKeyPreference: RawRepresentable, Hashable, Sendable {
    /// The name in WebAuthn, such as `required`.
    public let rawValue: String
    /// A preference by its name in WebAuthn.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A preference by its name in WebAuthn.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The app does not need a discoverable credential; the default.
    public static let discouraged = Self("discouraged")
    /// The credential is discoverable if the security key supports it.
    public static let preferred = Self("preferred")
    /// The credential must be discoverable.
    public static let required = Self("required")
}

/// The number of a COSE algorithm, for systems without Apple's framework.
public struct ASCOSEAlgorithmIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number in IANA's registry of COSE algorithms.
    public let rawValue: Int
    /// An algorithm by its number in IANA's registry of COSE algorithms.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// An algorithm by its number in IANA's registry of COSE algorithms.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// ECDSA with P-256 and SHA-256.
    public static let ES256 = Self(-7)
}
#endif
