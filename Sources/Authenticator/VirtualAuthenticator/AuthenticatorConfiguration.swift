public import Attestation
public import COSE
public import CTAP
public import WebAuthn

/// An authenticator's fixed properties: everything its owner cannot change.
///
/// getInfo is computed from this and from the device's state. Profile files usually make it.
public struct AuthenticatorConfiguration: Hashable, Sendable {
    /// An authenticator's kind of signature counter (WebAuthn L3 §6.1.1).
    public enum CounterMode: String, Hashable, Sendable, CaseIterable {
        /// No counter: always zero, as synced passkeys report.
        case none
        /// One counter for each credential.
        case perCredential
        /// One counter for the whole device, also moved by registrations.
        case global
        /// The device's clock: seconds since the Unix epoch, as in earlier credentials of Chrome on Mac.
        case timestamp
    }

    /// The rule by which a credential becomes discoverable.
    public enum Discoverability: String, Hashable, Sendable, CaseIterable {
        /// If the request asks for it with `rk`.
        case onRequest
        /// Always, as passkey providers of phones do.
        case always
        /// Never: `rk` is refused.
        case never
    }

    /// Members of getInfo that a device may leave out; their meaning holds without them.
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

    /// The evidence of user presence over NFC (CTAP 2.3 §5, "evidence of user interaction").
    public enum ContactlessPresence: String, Hashable, Sendable, CaseIterable {
        /// Putting the device on the reader, for one command and a limited time. For devices without a method of their
        /// own to collect a gesture; keys with a button also do it.
        case tap
        /// The device's own button or sensor, as over any other transport.
        case touch
    }

    /// The model.
    public var aaguid = AAGUID.zero
    /// The `versions` of getInfo.
    public var versions = ["FIDO_2_0"]
    /// The algorithms, most preferred first; the device has those of them that the build has (`COSE.Algorithm.supported`).
    public var algorithms: [COSE.Algorithm] = [.es256]
    /// The algorithms that the device has.
    package var possibleAlgorithms: [COSE.Algorithm] { algorithms.filter { $0.absence == nil } }
    /// The `transports` of getInfo.
    public var transports: [AuthenticatorTransport] = []
    /// Whether the authenticator is built into its client device (`plat`).
    public var isPlatform = false
    /// Whether the device has a screen to choose an account on.
    public var hasDisplay = false
    /// Whether the password manager makes a passkey without a prompt after a sign-in with a password, when the page asks
    /// for it (conditional create, WebAuthn L3 §5.1.3).
    public var createsConditionally = false
    /// The rule by which credentials become discoverable.
    public var discoverability = Discoverability.onRequest
    /// The capacity for discoverable credentials.
    public var discoverableCapacity = 50
    /// Whether the device also stores non-discoverable credentials, where they can be listed, and not in their IDs.
    public var keepsAllCredentials = false
    /// Whether a client PIN can be set.
    public var supportsClientPIN = false
    /// Whether tokens come with permissions (`pinUvAuthToken`); otherwise only the CTAP 2.0 subcommands answer.
    public var supportsPinUvAuthToken = true
    /// The PIN/UV auth protocols, most preferred first.
    public var pinUvAuthProtocols: [PINUVAuthProtocol] = [.two, .one]
    /// The fewest code points of a PIN, 4 to 63.
    public var minPINLength = 4
    /// The wrong PINs before the PIN is blocked, 1 to 8.
    public var maxPINRetries = 8
    /// Whether a PIN cannot be used for credentials (`noMcGaPermissionsWithClientPin`).
    public var refusesPINForCredentials = false
    /// Whether non-discoverable credentials can be made without user verification (`makeCredUvNotRqd`).
    public var makeCredUvNotRequired = false
    /// Whether user verification is always required (`alwaysUv`); nil when the device does not have the option.
    public var alwaysUV: Bool?
    /// The preferred UV attempts of a platform before it asks for the PIN; nil leaves them out of getInfo.
    public var preferredPlatformUVAttempts: Int?
    /// The extensions, in the order getInfo lists them.
    public var extensions: [AuthenticatorExtension] = []
    /// The commands beyond CTAP 2.0's.
    public var management = ManagementConfiguration()
    /// The signature counters.
    public var counterMode = CounterMode.global
    /// The initial counter of a credential with a counter of its own.
    public var initialSignatureCounter: UInt32 = 0
    /// BE of new credentials.
    public var isBackupEligible = false
    /// BS of new credentials.
    public var isBackedUp = false
    /// The attestation of new credentials, most preferred first; empty means `none`.
    public var attestation: [AttestationKind] = [.packed]
    /// The longest message accepted, in bytes, command byte included.
    public var maxMsgSize = 1200
    /// The most credentials in an allow or exclude list.
    public var maxCredentialCountInList = 8
    /// The longest credential ID accepted in a list, in bytes.
    public var maxCredentialIDLength = 128
    /// The length of the IDs of credentials stored on the device, in bytes, 16 to 1023 (WebAuthn L3 §4).
    public var credentialIDLength = 32
    /// The `firmwareVersion` of getInfo.
    public var firmwareVersion: Int?
    /// The `certifications` of getInfo.
    public var certifications: [String: Int]?
    /// The longest credBlob, in bytes, 32 or more.
    public var maxCredBlobLength = 32
    /// The capacity for large blobs in bytes, 1024 or more; nil without large blobs.
    public var largeBlobCapacity: Int?
    /// The longest PIN, in bytes of UTF-8, 8 to 63.
    public var maxPINLength = 63
    /// The initial RP IDs that may read the PIN's minimum length.
    public var minPINLengthRelyingPartyIDs: [String] = []
    /// The most RP IDs setMinPINLength accepts.
    public var maxRPIDsForSetMinPINLength = 8
    /// Whether PINs must meet a complexity policy (`pinComplexityPolicy`); nil when the device has none.
    public var pinComplexityPolicy: Bool?
    /// The URL that explains the policy, for getInfo.
    public var pinComplexityPolicyURL: String?
    /// Whether the device also answers CTAP1/U2F.
    public var supportsU2F = false
    /// The members of getInfo over hybrid that differ from those at the device's own platform.
    public var hybrid = HybridInfo()
    /// The transports a reset is accepted on; nil for all.
    public var transportsForReset: [AuthenticatorTransport]?
    /// Whether getInfo counts built-in verifications since the PIN was entered (`uvCountSinceLastPinEntry`).
    public var countsUVSincePINEntry = false
    /// Optional members that getInfo leaves out although they have a value.
    public var unlistedMembers: Set<UnlistedMember> = []
    /// The time after power-up in which a reset is accepted.
    public var resetWindow = Duration.seconds(10)
    /// The evidence of user presence over NFC.
    public var contactlessPresence = ContactlessPresence.tap
    /// The time for which a tap counts as presence, at most two minutes by the specification.
    public var contactlessPresenceLimit = Duration.seconds(120)
    /// The timeout for the user.
    public var userActionTimeout = Duration.seconds(30)

    /// A plain security key.
    public init() {}
}
