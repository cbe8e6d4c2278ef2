#if !canImport(Security)
/// The constraints of an access control, with Apple's numbers.
///
/// Source: `SecAccessControl.h` of Apple's SDK.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Creates constraints from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A face or a finger, or the passcode.
    public static let userPresence = Self(rawValue: 1 << 0)
    /// A face or a finger that is enrolled when the item is used.
    public static let biometryAny = Self(rawValue: 1 << 1)
    /// A face or a finger that was enrolled when the item was stored.
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    /// The passcode.
    public static let devicePasscode = Self(rawValue: 1 << 4)
    /// A companion, such as a watch.
    public static let companion = Self(rawValue: 1 << 5)
    /// One of the constraints suffices.
    public static let or = Self(rawValue: 1 << 14)
    /// All constraints are needed.
    public static let and = Self(rawValue: 1 << 15)
    /// The private key in the Secure Enclave may sign.
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
    /// The app's password is also needed.
    public static let applicationPassword = Self(rawValue: 1 << 31)
}

/// An algorithm of a key, with Apple's name.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// An algorithm by its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// ECDSA over the SHA-256 hash of a message, in DER.
    public static let ecdsaSignatureMessageX962SHA256 = Self(rawValue: "algid:sign:ECDSA:message-X962:SHA256")
    /// ECDSA over a SHA-256 hash, in DER.
    public static let ecdsaSignatureDigestX962SHA256 = Self(rawValue: "algid:sign:ECDSA:digest-X962:SHA256")
    /// ECIES with AES-GCM and cofactor Diffie-Hellman, which the simulation lacks.
    public static let eciesEncryptionCofactorX963SHA256AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
    /// ECIES with AES-GCM, which the simulation lacks.
    public static let eciesEncryptionStandardX963SHA256AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
    /// ECIES with AES-GCM, cofactor Diffie-Hellman and a derived initialization vector, which the simulation lacks.
    public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
    /// ECIES with AES-GCM and a derived initialization vector, which the simulation lacks.
    public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = Self(
        rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
}

/// The operation of a key, with Apple's numbers.
public enum SecKeyOperationType: Int, Hashable, Sendable {
    /// Signing.
    case sign = 0
    /// Verifying a signature.
    case verify = 1
    /// Encrypting.
    case encrypt = 2
    /// Decrypting.
    case decrypt = 3
    /// Exchanging a key.
    case keyExchange = 4
}
#endif
