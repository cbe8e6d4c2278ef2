public import CBOR
internal import COSE
internal import Crypto
internal import CryptoExtras
internal import Foundation

/// A PIN/UV auth protocol: key agreement, encryption and authentication (CTAP 2.3 §6.5.6, §6.5.7).
public enum PINUVAuthProtocol: Int, Sendable, CaseIterable {
    /// SHA-256 of the shared point, AES-256-CBC with a zero IV, the first 16 bytes of HMAC-SHA-256.
    case one = 1
    /// HKDF-SHA-256 into two keys, AES-256-CBC with a random IV in front, the whole HMAC-SHA-256.
    case two = 2

    /// The bytes of a pinUvAuthToken: protocol one allows 16 or 32, protocol two demands 32.
    public static let tokenLength = 32

    /// The bytes encryption adds to the plaintext.
    public var encryptionOverhead: Int { self == .one ? 0 : 16 }

    /// The secret both sides derive from the key agreement.
    public struct SharedSecret: Hashable, Sendable, CustomStringConvertible {
        /// 32 bytes for authenticate and verify.
        public let authenticationKey: [UInt8]
        /// 32 bytes for encrypt and decrypt.
        public let encryptionKey: [UInt8]

        /// The words "shared secret"; never the keys.
        public var description: String { "shared secret" }
    }

    /// Derives the shared secret from the x coordinate of the agreed point (`kdf(Z)`).
    func deriveKeys(_ x: SymmetricKey) -> SharedSecret {
        switch self {
        case .one:
            let key = x.withUnsafeBytes { Array(SHA256.hash(data: $0)) }
            return SharedSecret(authenticationKey: key, encryptionKey: key)
        case .two:
            let salt = [UInt8](repeating: 0, count: 32)
            func derive(_ info: String) -> [UInt8] {
                let key = HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: x, salt: salt, info: Array(info.utf8), outputByteCount: 32)
                return key.withUnsafeBytes { Array($0) }
            }
            return SharedSecret(authenticationKey: derive("CTAP2 HMAC key"), encryptionKey: derive("CTAP2 AES key"))
        }
    }

    /// Encrypts whole 16-byte blocks; nil for any other length.
    ///
    /// The initialisation vector is 16 fresh random bytes; protocol one ignores them.
    public func encrypt(_ plaintext: [UInt8], with secret: SharedSecret, initializationVector: [UInt8]) -> [UInt8]? {
        guard plaintext.count.isMultiple(of: 16) else { return nil }
        let vector = self == .one ? [UInt8](repeating: 0, count: 16) : initializationVector
        guard let iv = try? AES._CBC.IV(ivBytes: vector),
            let ciphertext = try? AES._CBC.encrypt(
                plaintext, using: SymmetricKey(data: secret.encryptionKey), iv: iv, noPadding: true)
        else { return nil }
        return self == .one ? Array(ciphertext) : vector + Array(ciphertext)
    }

    /// Decrypts the result of ``encrypt(_:with:initializationVector:)``; nil for an impossible length.
    public func decrypt(_ ciphertext: [UInt8], with secret: SharedSecret) -> [UInt8]? {
        guard ciphertext.count.isMultiple(of: 16), ciphertext.count >= encryptionOverhead else { return nil }
        let vector = self == .one ? [UInt8](repeating: 0, count: 16) : Array(ciphertext.prefix(16))
        let body = Array(ciphertext.dropFirst(encryptionOverhead))
        guard !body.isEmpty else { return [] }
        guard let iv = try? AES._CBC.IV(ivBytes: vector),
            let plaintext = try? AES._CBC.decrypt(
                body, using: SymmetricKey(data: secret.encryptionKey), iv: iv, noPadding: true)
        else { return nil }
        return Array(plaintext)
    }

    /// The authentication code of a message: 16 bytes under protocol one, 32 under protocol two.
    public func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let code = Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
        return self == .one ? Array(code.prefix(16)) : code
    }

    /// Whether a code is the message's, compared in constant time.
    public func verify(_ code: [UInt8], over message: [UInt8], key: [UInt8]) -> Bool {
        constantTimeEqual(code, authenticate(message, key: key))
    }
}

/// Whether two byte strings are equal, in time that depends on their lengths alone.
public func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

/// One side's key pair of the key agreement, on P-256.
public struct KeyAgreementKey: Sendable {
    private let privateKey: P256.KeyAgreement.PrivateKey

    /// Makes a key from random bytes; a seeded source gives the same key each time.
    ///
    /// - Returns: nil when the source keeps returning bytes that are not a scalar.
    public init?(randomBytes: (Int) -> [UInt8]) {
        for _ in 0..<64 {
            if let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: randomBytes(32)) {
                privateKey = key
                return
            }
        }
        return nil
    }

    /// The public key as CTAP sends it: `{1: 2, 3: -25, -1: 1, -2: x, -3: y}`.
    public var publicKey: CBOR.Value {
        let point = Array(privateKey.publicKey.rawRepresentation)
        return [
            1: 2, 3: .integer(COSE.Algorithm.ecdhESHKDF256.rawValue), -1: 1, -2: .bytes(Array(point[0..<32])),
            -3: .bytes(Array(point[32..<64])),
        ]
    }

    /// The secret shared with the owner of `peer`.
    ///
    /// - Returns: nil when `peer` is not a COSE key of the form of ``publicKey``, `alg` included, or its point is not on
    ///   P-256 (CTAP 2.3 §6.5.6, ecdh).
    public func sharedSecret(
        with peer: CBOR.Value, protocol pinProtocol: PINUVAuthProtocol
    ) -> PINUVAuthProtocol.SharedSecret? {
        guard case .success(let key) = Self.peerKey(peer),
            let shared = try? privateKey.sharedSecretFromKeyAgreement(with: key)
        else { return nil }
        return pinProtocol.deriveKeys(shared.withUnsafeBytes { SymmetricKey(data: $0) })
    }

    /// The reason why a COSE key lacks the form of ``publicKey``; nil for one that has it.
    package static func problem(of peer: CBOR.Value) -> String? {
        if case .failure(let malformed) = peerKey(peer) { malformed.reason } else { nil }
    }

    private struct Malformed: Error {
        let reason: String
    }

    private static func peerKey(_ peer: CBOR.Value) -> Result<P256.KeyAgreement.PublicKey, Malformed> {
        func malformed(_ reason: String) -> Result<P256.KeyAgreement.PublicKey, Malformed> {
            .failure(Malformed(reason: reason))
        }
        guard case .map(let map) = peer else { return malformed("it is not a map") }
        guard map[1] == 2 else { return malformed("kty (1) is not EC2 (2)") }
        guard let algorithm = map[3] else { return malformed("alg (3) is missing") }
        guard algorithm == .integer(COSE.Algorithm.ecdhESHKDF256.rawValue) else {
            return malformed("alg (3) is not ECDH-ES+HKDF-256 (-25)")
        }
        guard map[-1] == 1 else { return malformed("crv (-1) is not P-256 (1)") }
        guard case .bytes(let x)? = map[-2], x.count == 32 else { return malformed("x (-2) is not 32 bytes") }
        guard case .bytes(let y)? = map[-3], y.count == 32 else { return malformed("y (-3) is not 32 bytes") }
        guard let key = try? P256.KeyAgreement.PublicKey(rawRepresentation: x + y) else {
            return malformed("the point is not on P-256")
        }
        return .success(key)
    }
}
