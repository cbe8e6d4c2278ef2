public import Attestation
public import COSE
public import CTAP
public import WebAuthn

/// What an authenticator is made to be: everything about it that its owner cannot change.
///
/// getInfo is computed from this and from the device's state. A profile file is the usual way to make one.
public struct AuthenticatorConfiguration: Hashable, Sendable {
    /// Where an attached authenticator keeps its signature counters (WebAuthn L3 §6.1.1).
    public enum CounterMode: String, Hashable, Sendable, CaseIterable {
        /// No counter: always zero, as synced passkeys report.
        case none
        /// One counter for each credential.
        case perCredential
        /// One counter for the whole device, also moved by registrations.
        case global
        /// The device's clock: seconds since the Unix epoch, as credentials of Chrome on Mac once had.
        case timestamp
    }

    /// When a credential becomes discoverable.
    public enum Discoverability: String, Hashable, Sendable, CaseIterable {
        /// When the request asks for it with `rk`.
        case onRequest
        /// Always, as passkey providers of phones do.
        case always
        /// Never: `rk` is refused.
        case never
    }

    /// Members of getInfo that a device may keep to itself: what they tell is so without them.
    public enum UnlistedMember: String, Hashable, Sendable, CaseIterable {
        case maxCredentialCountInList
        case maxCredentialIdLength
        case transports
        case algorithms
        case minPINLength
        case uvModality
        case remainingDiscoverableCredentials
        case attestationFormats
        case authenticatorConfigCommands
    }

    /// What shows over NFC that a person is there (CTAP 2.3 §5, "evidence of user interaction").
    public enum ContactlessPresence: String, Hashable, Sendable, CaseIterable {
        /// Laying the device on the reader: once for each time, and for a while only. For devices without a method of
        /// their own to collect a gesture, and what keys with a button do as well.
        case tap
        /// The device's own button or sensor, as over any other transport.
        case touch
    }

    /// The model.
    public var aaguid = AAGUID.zero
    /// The `versions` of getInfo.
    public var versions = ["FIDO_2_0"]
    /// The algorithms, most preferred first.
    public var algorithms: [COSE.Algorithm] = [.es256]
    /// The `transports` of getInfo.
    public var transports: [String] = []
    /// Whether the authenticator is built into its client device (`plat`).
    public var isPlatform = false
    /// Whether the device has a screen to choose an account on.
    public var hasDisplay = false
    /// When credentials become discoverable.
    public var discoverability = Discoverability.onRequest
    /// How many discoverable credentials fit.
    public var discoverableCapacity = 50
    /// Whether credentials that are not discoverable are kept on the device as well, where they can be listed, rather
    /// than in their IDs.
    public var keepsAllCredentials = false
    /// Whether a client PIN can be set.
    public var supportsClientPIN = false
    /// Whether tokens come with permissions (`pinUvAuthToken`); otherwise only the CTAP 2.0 subcommands answer.
    public var supportsPinUvAuthToken = true
    /// The PIN/UV auth protocols, most preferred first.
    public var pinUvAuthProtocols: [PINUVAuthProtocol] = [.two, .one]
    /// The fewest code points of a PIN, 4 to 63.
    public var minPINLength = 4
    /// Wrong PINs in all before the PIN is blocked, 1 to 8.
    public var maxPINRetries = 8
    /// Whether a PIN cannot be used for credentials (`noMcGaPermissionsWithClientPin`).
    public var refusesPINForCredentials = false
    /// Whether non-discoverable credentials can be made without user verification (`makeCredUvNotRqd`).
    public var makeCredUvNotRequired = false
    /// Whether user verification is always demanded (`alwaysUv`); nil where the device does not know the option.
    public var alwaysUV: Bool?
    /// How often a platform should repeat the UV command before it asks for the PIN; nil leaves it out of getInfo.
    public var preferredPlatformUVAttempts: Int?
    /// The extensions, in the order getInfo lists them.
    public var extensions: [AuthenticatorExtension] = []
    /// The commands beyond CTAP 2.0's.
    public var management = ManagementConfiguration()
    /// The signature counters.
    public var counterMode = CounterMode.global
    /// What the counter of a new credential says, where each has its own.
    public var initialSignatureCounter: UInt32 = 0
    /// BE of new credentials.
    public var isBackupEligible = false
    /// BS of new credentials.
    public var isBackedUp = false
    /// How new credentials are attested to, most preferred first; empty means `none`.
    public var attestation: [AttestationKind] = [.packed]
    /// The longest message accepted, in bytes, command byte included.
    public var maxMsgSize = 1200
    /// The most credentials in an allow or exclude list.
    public var maxCredentialCountInList = 8
    /// The longest credential ID accepted in a list, in bytes.
    public var maxCredentialIDLength = 128
    /// How long the IDs of credentials kept on the device are, in bytes, 16 to 1023 (WebAuthn L3 §4).
    public var credentialIDLength = 32
    /// The `firmwareVersion` of getInfo.
    public var firmwareVersion: Int?
    /// The `certifications` of getInfo.
    public var certifications: [String: Int]?
    /// The longest credBlob, in bytes, 32 or more.
    public var maxCredBlobLength = 32
    /// The capacity for large blobs in bytes, 1024 or more; nil where the device has none.
    public var largeBlobCapacity: Int?
    /// The longest PIN, in bytes of UTF-8, 8 to 63.
    public var maxPINLength = 63
    /// The RP IDs that may read the PIN's minimum length from the factory on.
    public var minPINLengthRelyingPartyIDs: [String] = []
    /// How many RP IDs setMinPINLength takes.
    public var maxRPIDsForSetMinPINLength = 8
    /// Whether PINs must be more than long enough (`pinComplexityPolicy`); nil where the device does not know it.
    public var pinComplexityPolicy: Bool?
    /// Where that policy is explained, for getInfo.
    public var pinComplexityPolicyURL: String?
    /// Whether the device also answers CTAP1/U2F.
    public var supportsU2F = false
    /// The transports a reset is accepted on; nil for all.
    public var transportsForReset: [String]?
    /// Whether getInfo counts built-in verifications since the PIN was entered (`uvCountSinceLastPinEntry`).
    public var countsUVSincePINEntry = false
    /// Optional members that getInfo leaves out, although there is something to tell.
    public var unlistedMembers: Set<UnlistedMember> = []
    /// How long after power-up a reset is accepted.
    public var resetWindow = Duration.seconds(10)
    /// What shows over NFC that a person is there.
    public var contactlessPresence = ContactlessPresence.tap
    /// How long a tap counts as presence; two minutes is the most the specification allows.
    public var contactlessPresenceLimit = Duration.seconds(120)
    /// How long the authenticator waits for its person.
    public var userActionTimeout = Duration.seconds(30)

    /// A plain security key.
    public init() {}
}
