extension MetadataStatement {
    /// A user verification method (FIDO Registry of Predefined Values 2.2 §3.1).
    public enum UserVerificationMethod: String, Hashable, Sendable, Encodable, CaseIterable {
        case presence = "presence_internal"
        case fingerprint = "fingerprint_internal"
        case passcode = "passcode_internal"
        case voiceprint = "voiceprint_internal"
        case faceprint = "faceprint_internal"
        case location = "location_internal"
        case eyeprint = "eyeprint_internal"
        case pattern = "pattern_internal"
        case handprint = "handprint_internal"
        /// A code typed at the platform and sent: CTAP's client PIN.
        case externalPasscode = "passcode_external"
        case externalPattern = "pattern_external"
        /// The authenticator responds without user interaction.
        case none
        /// All other methods of the combination are required.
        case all
    }

    /// A user verification method with its accuracy: `VerificationMethodDescriptor` (FIDO Metadata Statement 3.1).
    public struct UserVerification: Hashable, Sendable, Encodable {
        /// The method.
        public var method: UserVerificationMethod
        /// The accuracy of a code; nil for other methods.
        public var code: Code?
        /// The accuracy of a sensor; nil for other methods.
        public var biometric: Biometric?

        /// Describes a method.
        public init(_ method: UserVerificationMethod, code: Code? = nil, biometric: Biometric? = nil) {
            self.method = method
            self.code = code
            self.biometric = biometric
        }

        private enum CodingKeys: String, CodingKey {
            case method = "userVerificationMethod"
            case code = "caDesc"
            case biometric = "baDesc"
        }
    }

    /// `CodeAccuracyDescriptor` (FIDO Metadata Statement 3.1).
    public struct Code: Hashable, Sendable, Encodable {
        /// The size of the alphabet: 10 for digits.
        public var base: Int
        /// The minimum length of a code.
        public var minLength: Int
        /// False attempts before the method is blocked; nil omits it, 0 means never.
        public var maxRetries: Int?
        /// The seconds for which it is blocked; nil omits it, 0 means permanently.
        public var blockSlowdown: Int?

        /// Describes a PIN or passcode.
        public init(base: Int, minLength: Int, maxRetries: Int? = nil, blockSlowdown: Int? = nil) {
            (self.base, self.minLength, self.maxRetries) = (base, minLength, maxRetries)
            self.blockSlowdown = blockSlowdown
        }
    }

    /// `BiometricAccuracyDescriptor` (FIDO Metadata Statement 3.1), as far as a simulated sensor has any.
    public struct Biometric: Hashable, Sendable, Encodable {
        /// The maximum number of templates.
        public var maxTemplates: Int?
        /// False attempts before the method is blocked; nil omits it, 0 means never.
        public var maxRetries: Int?
        /// The seconds for which it is blocked; nil omits it, 0 means permanently.
        public var blockSlowdown: Int?

        /// Describes a biometric.
        public init(maxTemplates: Int? = nil, maxRetries: Int? = nil, blockSlowdown: Int? = nil) {
            self.maxTemplates = maxTemplates
            self.maxRetries = maxRetries
            self.blockSlowdown = blockSlowdown
        }
    }

    /// The protection of private keys (FIDO Registry of Predefined Values 2.2 §3.2).
    public enum KeyProtection: String, Hashable, Sendable, Encodable, CaseIterable {
        case software
        case hardware
        case trustedEnvironment = "tee"
        case secureElement = "secure_element"
        /// Wrapped in the credential ID, which the relying party stores.
        case remoteHandle = "remote_handle"
    }

    /// The protection of the matcher (FIDO Registry of Predefined Values 2.2 §3.3).
    public enum MatcherProtection: String, Hashable, Sendable, Encodable, CaseIterable {
        case software
        case trustedEnvironment = "tee"
        case onChip = "on_chip"
    }

    /// The connection of an authenticator (FIDO Registry of Predefined Values 2.2 §3.4).
    public enum Attachment: String, Hashable, Sendable, Encodable, CaseIterable {
        case `internal`
        case external
        case wired
        case wireless
        case nfc
        case bluetooth
        case network
        case ready
        case wifiDirect = "wifi_direct"
    }
}

extension AttestationKind {
    /// The type of attestation (FIDO Registry of Predefined Values 2.2 §3.6.3).
    var registeredType: String {
        switch self {
        case .none: "none"
        case .packed: "basic_surrogate"
        case .packedBasic, .fidoU2F, .androidKey, .compound: "basic_full"
        case .tpm, .tpmRS1: "attca"
        case .apple: "anonca"
        }
    }
}
