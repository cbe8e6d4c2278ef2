internal import COSE
internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import JWTKit
internal import Synchronization
internal import WebAuthn

/// An RSA key of a provider.
///
/// It is derived from its name, so that every run signs alike; anyone can derive it. Tokens of these providers mean
/// nothing outside a test.
struct SigningKey: Sendable {
    let identifier: String
    let key: JWTKit.Insecure.RSA.PrivateKey
    private let publicPEM: String

    fileprivate init(name: String) throws {
        var block = 0
        let generated = try COSE.PrivateKey.generate(.rs256) { count in
            block += 1
            let secret = SymmetricKey(data: Array("touchstone provider key \(name) \(block)".utf8))
            return HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, outputByteCount: count)
                .withUnsafeBytes { Array($0) }
        }
        let backing = try _RSA.Signing.PrivateKey(derRepresentation: Data(generated.pkcs8Representation))
        key = try JWTKit.Insecure.RSA.PrivateKey(backing: backing)
        publicPEM = backing.publicKey.pemRepresentation
        identifier = Base64URL.encode(Array(SHA256.hash(data: backing.publicKey.derRepresentation).prefix(12)))
    }

    /// The public key as a JSON Web Key (RFC 7517).
    func webKey() throws -> JWK {
        let (modulus, exponent) = try key.publicKey.getKeyPrimitives()
        return JWK.rsa(
            .rs256, identifier: JWKIdentifier(string: identifier), modulus: Base64URL.encode(Array(modulus)),
            exponent: Base64URL.encode(Array(exponent)))
    }

    /// The public key as a secret for HS256, as attackers of careless clients use it.
    var asSecret: HMACKey { HMACKey(from: publicPEM) }

    private static let cache = SigningKeyCache()

    /// The key with a name; it is made at its first use in a process.
    static func named(_ name: String) throws -> SigningKey { try cache.key(name) }
}

private final class SigningKeyCache: Sendable {
    private let keys = Mutex<[String: SigningKey]>([:])

    func key(_ name: String) throws -> SigningKey {
        try keys.withLock { keys in
            if let key = keys[name] { return key }
            let key = try SigningKey(name: name)
            keys[name] = key
            return key
        }
    }
}
