/// The status of an authenticator model (FIDO Metadata Service 3.1, `AuthenticatorStatus`); unknown statuses are kept.
public struct AuthenticatorStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The name, such as `REVOKED`.
    public let rawValue: String

    /// The status of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The model is not certified.
    public static let notCertified = AuthenticatorStatus(rawValue: "NOT_FIDO_CERTIFIED")
    /// The model has passed functional certification.
    public static let certified = AuthenticatorStatus(rawValue: "FIDO_CERTIFIED")
    /// User verification can be bypassed.
    public static let userVerificationBypass = AuthenticatorStatus(rawValue: "USER_VERIFICATION_BYPASS")
    /// An attestation key is compromised.
    public static let attestationKeyCompromise = AuthenticatorStatus(rawValue: "ATTESTATION_KEY_COMPROMISE")
    /// Credential private keys can be extracted remotely.
    public static let userKeyRemoteCompromise = AuthenticatorStatus(rawValue: "USER_KEY_REMOTE_COMPROMISE")
    /// Credential private keys can be extracted with physical access to the device.
    public static let userKeyPhysicalCompromise = AuthenticatorStatus(rawValue: "USER_KEY_PHYSICAL_COMPROMISE")
    /// An update is available, which older devices may need.
    public static let updateAvailable = AuthenticatorStatus(rawValue: "UPDATE_AVAILABLE")
    /// The model must not be trusted.
    public static let revoked = AuthenticatorStatus(rawValue: "REVOKED")

    /// The statuses that report a weakness.
    public static let compromised: Set<AuthenticatorStatus> = [
        .userVerificationBypass, .attestationKeyCompromise, .userKeyRemoteCompromise, .userKeyPhysicalCompromise,
        .revoked,
    ]
}
