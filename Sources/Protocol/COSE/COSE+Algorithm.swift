/// CBOR Object Signing and Encryption as WebAuthn uses it: algorithm identifiers, keys, signatures (RFC 9052, RFC 9053).
public enum COSE {}

extension COSE {
    /// A COSE algorithm identifier, known or not (IANA "COSE Algorithms").
    public struct Algorithm: RawRepresentable, Hashable, Sendable {
        /// The registered number.
        public let rawValue: Int

        /// The algorithm of an identifier, known or not.
        public init(rawValue: Int) { self.rawValue = rawValue }

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
        /// ML-DSA-44 (FIPS 204); unsupported, because the libraries used lack it.
        public static let mlDSA44 = Algorithm(rawValue: -48)
        /// ML-DSA-65 (FIPS 204).
        public static let mlDSA65 = Algorithm(rawValue: -49)
        /// ML-DSA-87 (FIPS 204).
        public static let mlDSA87 = Algorithm(rawValue: -50)
        /// ECDSA with SHA-384 on P-384, fully specified (RFC 9864).
        public static let esp384 = Algorithm(rawValue: -51)
        /// ECDSA with SHA-512 on P-521, fully specified (RFC 9864).
        public static let esp512 = Algorithm(rawValue: -52)
        /// Ed448, fully specified (RFC 9864).
        public static let ed448 = Algorithm(rawValue: -53)
        /// RSASSA-PKCS1-v1_5 with SHA-256.
        public static let rs256 = Algorithm(rawValue: -257)
        /// RSASSA-PKCS1-v1_5 with SHA-1, of the attestation keys in many TPMs; unsupported for credentials.
        public static let rs1 = Algorithm(rawValue: -65535)

        /// The name in the IANA registry; nil for an identifier not listed here.
        public var name: String? { Self.names[self] }

        /// The algorithm of that registered name.
        public init?(name: String) {
            guard let match = Self.names.first(where: { $0.value == name }) else { return nil }
            self = match.key
        }

        private static let names: [Algorithm: String] = [
            .es256: "ES256", .edDSA: "EdDSA", .esp256: "ESP256", .ed25519: "Ed25519",
            .ecdhESHKDF256: "ECDH-ES+HKDF-256", .es384: "ES384", .es512: "ES512", .ps256: "PS256",
            .es256K: "ES256K", .esp384: "ESP384", .esp512: "ESP512", .ed448: "Ed448", .rs256: "RS256", .rs1: "RS1",
            .mlDSA44: "ML-DSA-44", .mlDSA65: "ML-DSA-65", .mlDSA87: "ML-DSA-87",
        ]

        /// The algorithms this library can make keys of, sign and verify with.
        ///
        /// Without libcrypto (the trait `SystemLibraries`; Apple's systems never have it), ES256K and Ed448 are absent, and so
        /// are RS256 and PS256: the library still signs and verifies with RSA keys, and cannot make them. ML-DSA is absent on
        /// Apple's systems.
        public static let supported: [Algorithm] = known.filter { $0.absence == nil }

        /// The algorithms of ``supported`` in a build with all libraries.
        package static let known: [Algorithm] = [
            .es256, .edDSA, .esp256, .ed25519, .es384, .es512, .esp384, .esp512, .es256K, .ed448, .rs256, .ps256,
            .mlDSA65, .mlDSA87,
        ]
    }
}

extension COSE.Algorithm: CustomStringConvertible {
    /// The name, or `COSE algorithm -300` for one without a name.
    public var description: String { name ?? "COSE algorithm \(rawValue)" }
}
