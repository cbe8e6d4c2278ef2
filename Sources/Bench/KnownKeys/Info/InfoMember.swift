/// The members of authenticatorGetInfo's answer, by the specification's names (CTAP 2.3 §6.4).
package enum InfoMember: Int, CaseIterable, Hashable, Sendable {
    case versions = 0x01
    case extensions
    case aaguid
    case options
    case maxMsgSize
    case pinUvAuthProtocols
    case maxCredentialCountInList
    case maxCredentialIdLength
    case transports
    case algorithms
    case maxSerializedLargeBlobArray
    case forcePINChange
    case minPINLength
    case firmwareVersion
    case maxCredBlobLength
    case maxRPIDsForSetMinPINLength
    case preferredPlatformUvAttempts
    case uvModality
    case certifications
    case remainingDiscoverableCredentials
    case vendorPrototypeConfigCommands
    case attestationFormats
    case uvCountSinceLastPinEntry
    case longTouchForReset
    case encIdentifier
    case transportsForReset
    case pinComplexityPolicy
    case pinComplexityPolicyURL
    case maxPINLength
    case encCredStoreState
    case authenticatorConfigCommands

    /// The name in the specification.
    package var name: String { String(describing: self) }

    /// The member of that name.
    package init?(name: String) {
        guard let member = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = member
    }

    /// What kind of value it has.
    enum Kind {
        /// Texts or numbers whose order says nothing.
        case set
        /// Texts, numbers or algorithms, most wanted first.
        case preference
        case number
        case flag
        case bytes
        /// Text as a byte string.
        case address
        case options
        case levels
    }

    var kind: Kind {
        switch self {
        case .versions, .extensions, .transports, .attestationFormats, .transportsForReset,
            .vendorPrototypeConfigCommands, .authenticatorConfigCommands:
            .set
        case .pinUvAuthProtocols, .algorithms: .preference
        case .aaguid, .encIdentifier, .encCredStoreState: .bytes
        case .pinComplexityPolicyURL: .address
        case .options: .options
        case .certifications: .levels
        case .forcePINChange, .longTouchForReset, .pinComplexityPolicy: .flag
        default: .number
        }
    }

    /// What its absence means, where the specification says so.
    var absentValue: InfoValue? {
        switch self {
        case .maxMsgSize: .number(1024)
        case .forcePINChange, .longTouchForReset: .bool(false)
        case .minPINLength: .number(4)
        case .maxPINLength: .number(63)
        default: nil
        }
    }

    /// What it tells, in a few words.
    var meaning: String {
        switch self {
        case .versions: "the protocols it speaks"
        case .extensions: "the extensions it knows"
        case .aaguid: "the model"
        case .options: "what it can do, and how it is set up"
        case .maxMsgSize: "the longest message it takes"
        case .pinUvAuthProtocols: "PIN/UV auth protocols, most wanted first"
        case .maxCredentialCountInList: "the most credentials in an allow or exclude list"
        case .maxCredentialIdLength: "the longest credential ID in a list"
        case .transports: "how it is reached"
        case .algorithms: "signature algorithms, most wanted first"
        case .maxSerializedLargeBlobArray: "room for large blobs"
        case .forcePINChange: "whether the PIN must be changed before anything else"
        case .minPINLength: "the shortest PIN it takes"
        case .firmwareVersion: "the maker's number for its firmware"
        case .maxCredBlobLength: "the longest credBlob"
        case .maxRPIDsForSetMinPINLength: "how many relying parties may be allowed to read minPINLength"
        case .preferredPlatformUvAttempts: "how often to ask for built-in verification before the PIN"
        case .uvModality: "how it verifies its user itself"
        case .certifications: "what it is certified for"
        case .remainingDiscoverableCredentials: "how many more passkeys fit, at the least"
        case .vendorPrototypeConfigCommands: "the vendor's own configuration commands"
        case .attestationFormats: "how it attests to new credentials"
        case .uvCountSinceLastPinEntry: "built-in verifications since the PIN was last entered"
        case .longTouchForReset: "whether a reset needs a long touch"
        case .encIdentifier: "this device's identity, for holders of its persistent token; new in every answer"
        case .transportsForReset: "the transports a reset is taken on"
        case .pinComplexityPolicy: "whether PINs must be more than long enough"
        case .pinComplexityPolicyURL: "where that rule is explained"
        case .maxPINLength: "the longest PIN it takes"
        case .encCredStoreState:
            "changes with its credentials, for holders of its persistent token; new in every answer"
        case .authenticatorConfigCommands: "the subcommands of authenticatorConfig it knows"
        }
    }
}
