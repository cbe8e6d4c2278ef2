public import CTAP

/// A device's management commands and their settings.
public struct ManagementConfiguration: Hashable, Sendable {
    /// authenticatorCredentialManagement (`credMgmt`).
    public var supportsCredentialManagement = false
    /// The same also under the preview's command byte, 0x41 (`credentialMgmtPreview`).
    public var supportsCredentialManagementPreview = false
    /// Whether the preview's command byte also works without `credentialMgmtPreview` in getInfo, which libfido2 needs.
    public var answersUnlistedPreview = false
    /// Persistent tokens for reading credential management (`perCredMgmtRO`, CTAP 2.2).
    public var supportsPersistentTokens = false
    /// authenticatorBioEnrollment (`bioEnroll`); nil for a device without enrolment over CTAP.
    public var bioEnrollment: BioEnrollment?
    /// The subcommands of authenticatorConfig, in the order of getInfo; empty without the command.
    public var configSubcommands: [AuthenticatorConfigSubcommand] = []
    /// The command IDs vendorPrototype accepts; empty without the subcommand.
    public var vendorPrototypeCommands: [Int] = []
    /// Whether built-in verification gives tokens for authenticatorConfig (`uvAcfg`).
    public var allowsConfigByUV = false
    /// Whether always-require-UV cannot be turned off.
    public var keepsAlwaysUV = false
    /// Enterprise attestation; nil when the device has none (`ep` absent).
    public var enterpriseAttestation: EnterpriseAttestation?

    /// A device without management commands.
    public init() {}

    /// The configuration of fingerprint enrolment over CTAP (CTAP 2.3 §6.7).
    public struct BioEnrollment: Hashable, Sendable {
        /// Also the preview's command byte, 0x40 (`userVerificationMgmtPreview`).
        public var answersPreview = false
        /// Whether the preview's command byte is the only one, as in keys that list FIDO_2_1_PRE and not FIDO_2_1.
        public var answersOnlyPreview = false
        /// Whether built-in verification gives tokens for enrolling (`uvBioEnroll`).
        public var allowsEnrollingByUV = false
        /// The good samples one enrolment takes, 1 or more.
        public var samples = 4
        /// The longest name, in bytes of UTF-8.
        public var maxFriendlyNameLength = 64
        /// The kind of fingerprint sensor.
        public var kind = FingerprintKind.touch

        /// Enrolment of four samples, under the final command byte.
        public init() {}
    }

    /// Enterprise attestation (CTAP 2.3 §7.1).
    public struct EnterpriseAttestation: Hashable, Sendable {
        /// Whether it is on until the first reset, after which it stays off until it is enabled (CTAP 2.3 §6.6).
        public var isEnabledInitially = false
        /// The RP IDs for vendor-facilitated enterprise attestation.
        public var relyingPartyIDs: [String] = []

        /// Enterprise attestation that is off and covers no RP ID.
        public init() {}
    }
}
