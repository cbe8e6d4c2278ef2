internal import Crypto
internal import CryptoExtras
internal import Foundation

extension COSE.PublicKey {
    /// Whether `signature` is this key's signature over `message`.
    ///
    /// ECDSA signatures must be strict DER (WebAuthn L3 §6.5.5): an encoding with surplus bytes, padded or negative
    /// integers is refused even where the numbers inside would verify.
    public func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        switch material {
        case .ellipticCurve(.p256, _, _):
            guard let key = try? P256.Signing.PublicKey(x963Representation: rawRepresentation),
                let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature),
                Array(parsed.derRepresentation) == signature
            else { return false }
            return key.isValidSignature(parsed, for: SHA256.hash(message))
        case .ellipticCurve(.p384, _, _):
            guard let key = try? P384.Signing.PublicKey(x963Representation: rawRepresentation),
                let parsed = try? P384.Signing.ECDSASignature(derRepresentation: signature),
                Array(parsed.derRepresentation) == signature
            else { return false }
            return key.isValidSignature(parsed, for: SHA384.hash(message))
        case .ellipticCurve(.p521, _, _):
            guard let key = try? P521.Signing.PublicKey(x963Representation: rawRepresentation),
                let parsed = try? P521.Signing.ECDSASignature(derRepresentation: signature),
                Array(parsed.derRepresentation) == signature
            else { return false }
            return key.isValidSignature(parsed, for: SHA512.hash(message))
        case .ellipticCurve:
            // libcrypto refuses every encoding but the strict one.
            return LibcryptoKey.secp256k1Public(subjectPublicKeyInfo: subjectPublicKeyInfo)
                .verify(signature, over: message)
        case .octetKeyPair(.ed448, let x): return LibcryptoKey.ed448Public(x).verify(signature, over: message)
        case .octetKeyPair(_, let x):
            guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x) else { return false }
            return key.isValidSignature(signature, for: message)
        case .rsa(let modulus, let exponent):
            return verifyRSA(signature, over: message, modulus: modulus, exponent: exponent)
        case .algorithmKeyPair(let bytes):
            guard case .mlDSA(let parameters) = algorithm.scheme else { return false }
            return MLDSAKey.verify(signature, over: message, key: bytes, parameters)
        }
    }

    private func verifyRSA(_ signature: [UInt8], over message: [UInt8], modulus: [UInt8], exponent: [UInt8]) -> Bool {
        guard case .rsa(let padding, let digest) = algorithm.scheme, signature.count == modulus.count,
            let key = try? _RSA.Signing.PublicKey(n: modulus, e: exponent)
        else { return false }
        let parsed = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return if digest == .sha1 {
            key.isValidSignature(parsed, for: Insecure.SHA1.hash(message), padding: padding.libraryPadding)
        } else {
            key.isValidSignature(parsed, for: SHA256.hash(message), padding: padding.libraryPadding)
        }
    }
}
