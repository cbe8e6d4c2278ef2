internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import SwiftASN1

extension COSE.PrivateKey {
    /// Signs a message.
    ///
    /// The signature is DER for ECDSA, 64 bytes for Ed25519 and 114 for Ed448, as long as the modulus for RSA, 3309
    /// bytes for ML-DSA-65 and 4627 for ML-DSA-87.
    ///
    /// - Throws: ``COSE/KeyError/randomizedOnly(_:)`` for a deterministic signature of an algorithm that does not
    ///   give any (``COSE/Algorithm/signsDeterministically``), or the library's error, when it cannot sign.
    public func sign(_ message: [UInt8], mode: COSE.SigningMode = .randomized) throws -> [UInt8] {
        if mode == .deterministic, let signature = try signDeterministically(message) { return signature }
        return switch material {
        case .p256(let key): Self.der(try key.signature(for: SHA256.hash(message)).rawRepresentation)
        case .p384(let key): Self.der(try key.signature(for: SHA384.hash(message)).rawRepresentation)
        case .p521(let key): Self.der(try key.signature(for: SHA512.hash(message)).rawRepresentation)
        case .secp256k1(let scalar): try LibcryptoKey.secp256k1Private(scalar: scalar).sign(message)
        case .ed25519(let key): Array(try key.signature(for: message))
        case .ed448(let seed): try LibcryptoKey.ed448Private(seed: seed).sign(message)
        case .rsa(let key): try signRSA(message, key)
        case .mlDSA(let key): try key.sign(message)
        }
    }

    /// `ECDSA-Sig-Value` (RFC 3279 §2.2.3): SEQUENCE { r INTEGER, s INTEGER }, from r ‖ s.
    ///
    /// The library's conversion costs a tenth of a signature.
    private static func der(_ signature: Data) -> [UInt8] {
        signature.withUnsafeBytes { numbers in
            DER.Serializer.integers(numbers.prefix(numbers.count / 2), numbers.suffix(numbers.count / 2))
        }
    }

    /// The signature, for algorithms whose ordinary signatures are random; otherwise nil.
    private func signDeterministically(_ message: [UInt8]) throws -> [UInt8]? {
        guard algorithm.signsDeterministically else { throw COSE.KeyError.randomizedOnly(algorithm) }
        #if SYSTEM_LIBRARIES
        switch (algorithm.scheme, material) {
        case (.ecdsa(let curve, let digest), _):
            return try DeterministicECDSA.sign(message, scalar: rawRepresentation, curve: curve, digest: digest)
        case (.rsa(.pss, _), .rsa(let key)): return try DeterministicPSS.sign(message, key: key)
        default: return nil
        }
        #else
        return nil
        #endif
    }

    private func signRSA(_ message: [UInt8], _ key: _RSA.Signing.PrivateKey) throws -> [UInt8] {
        guard case .rsa(let padding, let digest) = algorithm.scheme else {
            throw COSE.KeyError.unsupportedAlgorithm(algorithm)
        }
        let signature =
            digest == .sha1
            ? try key.signature(for: Insecure.SHA1.hash(message), padding: padding.libraryPadding)
            : try key.signature(for: SHA256.hash(message), padding: padding.libraryPadding)
        return Array(signature.rawRepresentation)
    }
}

extension COSE.RSAPadding {
    var libraryPadding: _RSA.Signing.Padding { self == .pss ? .PSS : .insecurePKCS1v1_5 }
}
