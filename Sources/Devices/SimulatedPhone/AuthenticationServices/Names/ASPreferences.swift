// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if !canImport(AuthenticationServices)
/// A preference for the user's verification, for systems without Apple's framework.
public struct ASAuthorizationPublicKeyCredentialUserVerificationPreference: RawRepresentable, Hashable, Sendable {
    /// The name in WebAuthn, such as `preferred`.
    public let rawValue: String
    /// A preference by its name in WebAuthn.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A preference by its name in WebAuthn.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The user need not be verified.
    public static let discouraged = Self("discouraged")
    /// The user is verified where the device can; the default.
    public static let preferred = Self("preferred")
    /// The user must be verified.
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
    /// An attestation that names the single device.
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

    /// The credential need not be discoverable; the default.
    public static let discouraged = Self("discouraged")
    /// The credential is discoverable where the security key can.
    public static let preferred = Self("preferred")
    /// The credential must be discoverable.
    public static let required = Self("required")
}

/// The number of a COSE algorithm, for systems without Apple's framework.
public struct ASCOSEAlgorithmIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number in the registry of COSE.
    public let rawValue: Int
    /// An algorithm by its number in the registry of COSE.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// An algorithm by its number in the registry of COSE.
    public init(_ rawValue: Int) { self.rawValue = rawValue }

    /// ECDSA with P-256 and SHA-256.
    public static let ES256 = Self(-7)
}
#endif
