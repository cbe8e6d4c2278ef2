package import CBOR

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

    /// The CBOR type of a member's value.
    package enum ValueType: Sendable {
        case unsigned
        case bool
        case bytes
        case texts
        case unsigneds
        /// A byte string of 16 bytes.
        case aaguid
        /// A byte string of UTF-8.
        case textInBytes
        /// A map from option identifiers to booleans.
        case options
        /// An array of PublicKeyCredentialParameters.
        case algorithms
        /// A map from text to unsigned integers.
        case levels
    }

    /// The member of a name; nil when no member has it.
    package init?(name: String) {
        guard let member = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = member
    }

    /// The CBOR type of its value.
    package var type: ValueType { field.type }

    /// Whether every answer has it.
    package var isRequired: Bool { self == .versions || self == .aaguid }

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

    /// Its meaning, in a few words.
    package var meaning: String { row.meaning }

    var field: InfoField { Self.fields[rawValue - 1] }

    private static let fields = allCases.map(\.row.field)

    private var row: (field: InfoField, meaning: String) {
        switch self {
        case .versions: (.versions, "supported protocol versions")
        case .extensions: (.texts(\.extensions), "supported extensions")
        case .aaguid: (.aaguid, "the model")
        case .options: (.options, "abilities and set-up")
        case .maxMsgSize: (.unsigned(\.maxMsgSize), "the longest message it accepts")
        case .pinUvAuthProtocols: (.unsigneds(\.pinUvAuthProtocols), "PIN/UV auth protocols, most preferred first")
        case .maxCredentialCountInList:
            (.unsigned(\.maxCredentialCountInList), "the most credentials in an allow or exclude list")
        case .maxCredentialIdLength: (.unsigned(\.maxCredentialIdLength), "the longest credential ID in a list")
        case .transports: (.texts(\.transports), "supported transports")
        case .algorithms: (.algorithms, "signature algorithms, most preferred first")
        case .maxSerializedLargeBlobArray: (.unsigned(\.maxSerializedLargeBlobArray), "capacity for large blobs")
        case .forcePINChange: (.bool(\.forcePINChange), "whether the PIN must be changed before anything else")
        case .minPINLength: (.unsigned(\.minPINLength), "the shortest PIN it accepts")
        case .firmwareVersion: (.unsigned(\.firmwareVersion), "the maker's number for its firmware")
        case .maxCredBlobLength: (.unsigned(\.maxCredBlobLength), "the longest credBlob")
        case .maxRPIDsForSetMinPINLength:
            (
                .unsigned(\.maxRPIDsForSetMinPINLength),
                "the most relying parties that can read minPINLength"
            )
        case .preferredPlatformUvAttempts:
            (.unsigned(\.preferredPlatformUvAttempts), "how often to ask for built-in verification before the PIN")
        case .uvModality: (.unsigned(\.uvModality), "built-in user verification methods")
        case .certifications: (.certifications, "certifications")
        case .remainingDiscoverableCredentials:
            (.unsigned(\.remainingDiscoverableCredentials), "the fewest passkeys that still fit")
        case .vendorPrototypeConfigCommands:
            (.unsigneds(\.vendorPrototypeConfigCommands), "the vendor's own configuration commands")
        case .attestationFormats: (.texts(\.attestationFormats), "attestation formats of new credentials")
        case .uvCountSinceLastPinEntry:
            (.unsigned(\.uvCountSinceLastPinEntry), "built-in verifications since the PIN was last entered")
        case .longTouchForReset: (.bool(\.longTouchForReset), "whether a reset needs a long touch")
        case .encIdentifier:
            (
                .bytes(\.encIdentifier),
                "this device's identity, for holders of its persistent token; new in every answer"
            )
        case .transportsForReset: (.texts(\.transportsForReset), "the transports that accept a reset")
        case .pinComplexityPolicy: (.bool(\.pinComplexityPolicy), "whether PINs must meet a complexity policy")
        case .pinComplexityPolicyURL:
            (.bytes(\.pinComplexityPolicyURL, .textInBytes), "the URL that explains the PIN complexity policy")
        case .maxPINLength: (.unsigned(\.maxPINLength), "the longest PIN it accepts")
        case .encCredStoreState:
            (
                .bytes(\.encCredStoreState),
                "changes with its credentials, for holders of its persistent token; new in every answer"
            )
        case .authenticatorConfigCommands:
            (.unsigneds(\.authenticatorConfigCommands), "supported subcommands of authenticatorConfig")
        }
    }
}
