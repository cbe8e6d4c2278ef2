package import CBOR
package import MessageValues

/// The members of authenticatorGetInfo's answer, by the specification's names (CTAP 2.3 §6.4).
///
/// The table behind reading and writing answers, traces, known keys and metadata statements.
package enum InfoMember: Int, MessageKey {
    case versions = 0x01
    case extensions, aaguid, options, maxMsgSize, pinUvAuthProtocols, maxCredentialCountInList, maxCredentialIdLength,
        transports, algorithms, maxSerializedLargeBlobArray, forcePINChange, minPINLength, firmwareVersion,
        maxCredBlobLength, maxRPIDsForSetMinPINLength, preferredPlatformUvAttempts, uvModality, certifications,
        remainingDiscoverableCredentials, vendorPrototypeConfigCommands, attestationFormats, uvCountSinceLastPinEntry,
        longTouchForReset, encIdentifier, transportsForReset, pinComplexityPolicy, pinComplexityPolicyURL, maxPINLength,
        encCredStoreState, authenticatorConfigCommands

    package init?(name: String) {
        guard let member = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = member
    }

    package var type: MemberType { Self.types[rawValue - 1] }

    private static let types = AuthenticatorInfo.members.map(\.type)

    /// Whether its value is a text, as a byte string of UTF-8.
    package var isTextInBytes: Bool { self == .pinComplexityPolicyURL }

    /// The user verification methods of `uvModality`, the lowest bit first (FIDO Registry of Predefined Values §3.1).
    package static let userVerificationMethods = [
        "presence", "fingerprint", "internal passcode", "voice", "face", "location", "eye", "internal pattern", "hand",
        "none", "all of them together", "external passcode", "external pattern",
    ]

    /// Whether its array lists the most preferred item first; the order of other arrays means nothing.
    package var isPreference: Bool { self == .pinUvAuthProtocols || self == .algorithms }

    /// Whether it is encrypted under a new initialisation vector in every answer.
    package var isNewInEveryAnswer: Bool { self == .encIdentifier || self == .encCredStoreState }

    /// The value its absence stands for, where the specification gives one.
    package var absentValue: CBOR.Value? {
        switch self {
        case .maxMsgSize: 1024
        case .forcePINChange, .longTouchForReset: false
        case .minPINLength: 4
        case .maxPINLength: 63
        default: nil
        }
    }

    package var meaning: String {
        switch self {
        case .versions: "supported protocol versions"
        case .extensions: "supported extensions"
        case .aaguid: "the model"
        case .options: "supported and configured options"
        case .maxMsgSize: "the longest message it accepts"
        case .pinUvAuthProtocols: "PIN/UV auth protocols, most preferred first"
        case .maxCredentialCountInList: "the most credentials in an allow or exclude list"
        case .maxCredentialIdLength: "the longest credential ID in a list"
        case .transports: "supported transports"
        case .algorithms: "signature algorithms, most preferred first"
        case .maxSerializedLargeBlobArray: "capacity for large blobs"
        case .forcePINChange: "whether the PIN must be changed before anything else"
        case .minPINLength: "the shortest PIN it accepts"
        case .firmwareVersion: "the maker's number for its firmware"
        case .maxCredBlobLength: "the longest credBlob"
        case .maxRPIDsForSetMinPINLength: "the maximum number of relying parties that can read minPINLength"
        case .preferredPlatformUvAttempts: "the built-in verification attempts before the PIN"
        case .uvModality: "built-in user verification methods"
        case .certifications: "certifications"
        case .remainingDiscoverableCredentials: "the minimum number of passkeys that still fit"
        case .vendorPrototypeConfigCommands: "the vendor's own configuration commands"
        case .attestationFormats: "attestation formats of new credentials"
        case .uvCountSinceLastPinEntry: "built-in verifications since the PIN was last entered"
        case .longTouchForReset: "whether a reset needs a long touch"
        case .encIdentifier: "this device's identity, for holders of its persistent token; new in every answer"
        case .transportsForReset: "the transports that accept a reset"
        case .pinComplexityPolicy: "whether PINs must meet a complexity policy"
        case .pinComplexityPolicyURL: "the URL that explains the PIN complexity policy"
        case .maxPINLength: "the longest PIN it accepts"
        case .encCredStoreState:
            "changes with its credentials, for holders of its persistent token; new in every answer"
        case .authenticatorConfigCommands: "supported subcommands of authenticatorConfig"
        }
    }
}
