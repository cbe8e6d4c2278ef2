/// CBOR Object Signing and Encryption as WebAuthn uses it: algorithm identifiers, keys, signatures (RFC 9052, RFC 9053).
public enum COSE {}

extension COSE {
    /// A COSE algorithm identifier, known or not (IANA "COSE Algorithms").
    public struct Algorithm: RawRepresentable, Hashable, Sendable {
        /// The registered number.
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// ECDSA with SHA-256; WebAuthn ties it to P-256.
        public static let es256 = Algorithm(rawValue: -7)
        /// EdDSA; WebAuthn ties it to Ed25519.
        public static let edDSA = Algorithm(rawValue: -8)
        /// ECDSA with SHA-256 on P-256, fully specified (RFC 9864).
        public static let esp256 = Algorithm(rawValue: -9)
        /// Ed25519, fully specified (RFC 9864).
        public static let ed25519 = Algorithm(rawValue: -19)
        /// ECDH-ES with HKDF-256, the identifier CTAP puts into key-agreement keys (CTAP 2.3 §6.5.6).
        public static let ecdhESHKDF256 = Algorithm(rawValue: -25)
        /// ECDSA with SHA-384; WebAuthn ties it to P-384.
        public static let es384 = Algorithm(rawValue: -35)
        /// ECDSA with SHA-512; WebAuthn ties it to P-521.
        public static let es512 = Algorithm(rawValue: -36)
        /// RSASSA-PSS with SHA-256.
        public static let ps256 = Algorithm(rawValue: -37)
        /// ECDSA with SHA-256 on secp256k1.
        public static let es256K = Algorithm(rawValue: -47)
        /// ECDSA with SHA-384 on P-384, fully specified (RFC 9864).
        public static let esp384 = Algorithm(rawValue: -51)
        /// ECDSA with SHA-512 on P-521, fully specified (RFC 9864).
        public static let esp512 = Algorithm(rawValue: -52)
        /// Ed448, fully specified (RFC 9864).
        public static let ed448 = Algorithm(rawValue: -53)
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        public static let rs256 = Algorithm(rawValue: -257)

        /// The name in the IANA registry, if this bench knows it.
        public var name: String? {
            Self.names[self]
        }

        /// The algorithm of that registered name.
        public init?(name: String) {
            guard let match = Self.names.first(where: { $0.value == name }) else { return nil }
            self = match.key
        }

        private static let names: [Algorithm: String] = [
            .es256: "ES256", .edDSA: "EdDSA", .esp256: "ESP256", .ed25519: "Ed25519",
            .ecdhESHKDF256: "ECDH-ES+HKDF-256", .es384: "ES384", .es512: "ES512", .ps256: "PS256",
            .es256K: "ES256K", .esp384: "ESP384", .esp512: "ESP512", .ed448: "Ed448", .rs256: "RS256",
        ]

        /// The algorithms whose keys this module can make, sign and verify with.
        public static let supported: [Algorithm] = [
            .es256, .edDSA, .esp256, .ed25519, .es384, .es512, .esp384, .esp512,
        ]

        /// The one curve a key of this algorithm lies on (WebAuthn L3 §5.8.5), or nil where unsupported.
        var curve: Curve? {
            switch self {
            case .es256, .esp256: .p256
            case .es384, .esp384: .p384
            case .es512, .esp512: .p521
            case .edDSA, .ed25519: .ed25519
            default: nil
            }
        }
    }
}

extension COSE.Algorithm: CustomStringConvertible {
    public var description: String { name ?? "COSE algorithm \(rawValue)" }
}

extension COSE {
    /// An elliptic curve (IANA "COSE Elliptic Curves").
    public enum Curve: Int, Sendable {
        case p256 = 1
        case p384 = 2
        case p521 = 3
        case ed25519 = 6

        /// Bytes of one coordinate, or of the whole public key for Ed25519.
        public var coordinateLength: Int {
            switch self {
            case .p256, .ed25519: 32
            case .p384: 48
            case .p521: 66
            }
        }

        var keyType: KeyType { self == .ed25519 ? .octetKeyPair : .ellipticCurve }
    }

    /// A COSE key type, parameter 1 of a key (IANA "COSE Key Types").
    enum KeyType: Int {
        case octetKeyPair = 1
        case ellipticCurve = 2
    }
}
