internal import COSE

extension MetadataStatement {
    /// One way to verify a user (FIDO Registry of Predefined Values 2.2 §3.1).
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
        /// The user is neither verified nor asked.
        case none
        /// All of the other methods of the combination are needed.
        case all
    }

    /// A way to verify a user, and how good it is: `VerificationMethodDescriptor` (FIDO Metadata Statement 3.1).
    public struct UserVerification: Hashable, Sendable, Encodable {
        /// The method.
        public var method: UserVerificationMethod
        /// How good a code is; nil for other methods.
        public var code: Code?
        /// How good a sensor is; nil for other methods.
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
        /// How many characters there are to choose from: 10 for digits.
        public var base: Int
        /// How many of them a code has at least.
        public var minLength: Int
        /// False attempts before the method is blocked; nil leaves it out, 0 says never.
        public var maxRetries: Int?
        /// Seconds it is blocked for; nil leaves it out, 0 says for good.
        public var blockSlowdown: Int?

        /// Describes a PIN or passcode.
        public init(base: Int, minLength: Int, maxRetries: Int? = nil, blockSlowdown: Int? = nil) {
            self.base = base
            self.minLength = minLength
            self.maxRetries = maxRetries
            self.blockSlowdown = blockSlowdown
        }
    }

    /// `BiometricAccuracyDescriptor` (FIDO Metadata Statement 3.1), as far as a simulated sensor has any.
    public struct Biometric: Hashable, Sendable, Encodable {
        /// How many fingers, faces and so on can be enrolled.
        public var maxTemplates: Int?
        /// False attempts before the method is blocked; nil leaves it out, 0 says never.
        public var maxRetries: Int?
        /// Seconds it is blocked for; nil leaves it out, 0 says for good.
        public var blockSlowdown: Int?

        /// Describes a biometric.
        public init(maxTemplates: Int? = nil, maxRetries: Int? = nil, blockSlowdown: Int? = nil) {
            self.maxTemplates = maxTemplates
            self.maxRetries = maxRetries
            self.blockSlowdown = blockSlowdown
        }
    }

    /// Where private keys are kept (FIDO Registry of Predefined Values 2.2 §3.2).
    public enum KeyProtection: String, Hashable, Sendable, Encodable, CaseIterable {
        case software
        case hardware
        case trustedEnvironment = "tee"
        case secureElement = "secure_element"
        /// Sealed in the credential ID, so that the relying party keeps it.
        case remoteHandle = "remote_handle"
    }

    /// Where users are matched with what was enrolled (FIDO Registry of Predefined Values 2.2 §3.3).
    public enum MatcherProtection: String, Hashable, Sendable, Encodable, CaseIterable {
        case software
        case trustedEnvironment = "tee"
        case onChip = "on_chip"
    }

    /// How an authenticator is connected (FIDO Registry of Predefined Values 2.2 §3.4).
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

extension COSE.Algorithm {
    /// The name of credentials of this algorithm (FIDO Registry of Predefined Values 2.2 §3.6.1); nil where it has
    /// none.
    var registeredName: String? {
        switch self {
        case .es256, .esp256: "secp256r1_ecdsa_sha256_raw"
        case .es384, .esp384: "secp384r1_ecdsa_sha384_raw"
        case .es512, .esp512: "secp521r1_ecdsa_sha512_raw"
        case .es256K: "secp256k1_ecdsa_sha256_raw"
        case .edDSA, .ed25519: "ed25519_eddsa_sha512_raw"
        case .ed448: "ed448_eddsa_sha512_raw"
        case .rs256: "rsassa_pkcsv15_sha256_raw"
        case .ps256: "rsassa_pss_sha256_raw"
        default: nil
        }
    }
}

extension AttestationKind {
    /// The type of attestation (FIDO Registry of Predefined Values 2.2 §3.6.3).
    var registeredType: String {
        switch self {
        case .none: "none"
        case .packed: "basic_surrogate"
        case .packedBasic, .fidoU2F, .androidKey, .compound: "basic_full"
        case .tpm: "attca"
        case .apple: "anonca"
        }
    }
}
