public import CTAP

/// Which of the commands that manage an authenticator a device has, and what it makes of them.
public struct ManagementConfiguration: Hashable, Sendable {
    /// authenticatorCredentialManagement (`credMgmt`).
    public var supportsCredentialManagement = false
    /// The same under the preview's command byte, 0x41, as well (`credentialMgmtPreview`).
    public var supportsCredentialManagementPreview = false
    /// Persistent tokens for reading credential management (`perCredMgmtRO`, CTAP 2.2).
    public var supportsPersistentTokens = false
    /// authenticatorBioEnrollment (`bioEnroll`); nil for a device whose fingerprints are enrolled elsewhere, or has none.
    public var bioEnrollment: BioEnrollment?
    /// The subcommands of authenticatorConfig, in the order getInfo lists them; empty where the command is unknown.
    public var configSubcommands: [AuthenticatorConfigSubcommand] = []
    /// The IDs vendorPrototype takes; it is known exactly when there are any.
    public var vendorPrototypeCommands: [Int] = []
    /// Whether built-in verification gives tokens for authenticatorConfig (`uvAcfg`).
    public var allowsConfigByUV = false
    /// Whether always-require-UV, once on, stays on.
    public var keepsAlwaysUV = false
    /// What the device does about enterprise attestation; nil where it does not know it (`ep` absent).
    public var enterpriseAttestation: EnterpriseAttestation?

    /// A device with none of them.
    public init() {}

    /// How fingerprints are enrolled over CTAP (CTAP 2.3 §6.7).
    public struct BioEnrollment: Hashable, Sendable {
        /// The preview's command byte, 0x40, as well (`userVerificationMgmtPreview`).
        public var answersPreview = false
        /// Whether the preview's command byte is the only one, as in keys that list FIDO_2_1_PRE and not FIDO_2_1.
        public var answersOnlyPreview = false
        /// Whether built-in verification gives tokens for enrolling (`uvBioEnroll`).
        public var allowsEnrollingByUV = false
        /// The good samples one enrolment takes, 1 or more.
        public var samples = 4
        /// The longest name, in bytes of UTF-8.
        public var maxFriendlyNameLength = 64
        /// How a finger meets the sensor.
        public var kind = FingerprintKind.touch

        /// Enrolment of four samples, under the final command byte.
        public init() {}
    }

    /// Enterprise attestation (CTAP 2.3 §7.1).
    public struct EnterpriseAttestation: Hashable, Sendable {
        /// Whether it is on from the factory.
        public var isEnabledInitially = false
        /// The RP IDs that get it vendor-facilitated.
        public var relyingPartyIDs: [String] = []

        /// Enterprise attestation that is off and covers no RP ID.
        public init() {}
    }
}
