#if SYSTEM_LIBRARIES
internal import COpenSSL
internal import SwiftASN1

/// A libcrypto key, for the curves swift-crypto lacks: secp256k1 and Ed448.
///
/// Keys are stored as bytes and given to libcrypto for one operation at a time, so that threads share nothing.
enum LibcryptoKey {
    /// `ECPrivateKey` (RFC 5915) without the public key, which libcrypto derives: SEQUENCE { INTEGER 1, OCTET STRING
    /// of 32 bytes, [0] secp256k1 }.
    case secp256k1Private(scalar: [UInt8])
    /// `SubjectPublicKeyInfo` (RFC 5480).
    case secp256k1Public(subjectPublicKeyInfo: [UInt8])
    case ed448Private(seed: [UInt8])
    case ed448Public([UInt8])

    /// Signs a message: DER for secp256k1, 114 bytes for Ed448.
    func sign(_ message: [UInt8]) throws -> [UInt8] {
        try withKey { key in
            guard let context = EVP_MD_CTX_new() else { throw LibcryptoError() }
            defer { EVP_MD_CTX_free(context) }
            try LibcryptoError.check(EVP_DigestSignInit(context, nil, digest, nil, key))
            var length = 0
            try LibcryptoError.check(EVP_DigestSign(context, nil, &length, message, message.count))
            var signature = [UInt8](repeating: 0, count: length)
            try LibcryptoError.check(EVP_DigestSign(context, &signature, &length, message, message.count))
            return Array(signature.prefix(length))
        }
    }

    func verify(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        let isValid = try? withKey { key in
            guard let context = EVP_MD_CTX_new() else { throw LibcryptoError() }
            defer { EVP_MD_CTX_free(context) }
            try LibcryptoError.check(EVP_DigestVerifyInit(context, nil, digest, nil, key))
            try LibcryptoError.check(EVP_DigestVerify(context, signature, signature.count, message, message.count))
            return true
        }
        return isValid == true
    }

    /// The 57 bytes of an Ed448 key's public half.
    static func ed448PublicKey(seed: [UInt8]) throws -> [UInt8] {
        try ed448Private(seed: seed).withKey { key in
            var length = COSE.Curve.ed448.coordinateLength
            var bytes = [UInt8](repeating: 0, count: length)
            try LibcryptoError.check(EVP_PKEY_get_raw_public_key(key, &bytes, &length))
            return bytes
        }
    }

    /// x ‖ y of the public key of a scalar on secp256k1.
    static func secp256k1PublicKey(scalar: [UInt8]) throws -> [UInt8] {
        guard scalar.count == COSE.Curve.secp256k1.coordinateLength else { throw COSE.KeyError.invalidPrivateKey }
        return try CurveGroup.run(.secp256k1) { group, arithmetic in
            let number = try arithmetic.number(scalar)
            guard !arithmetic.isZero(number), arithmetic.isLess(number, than: group.order) else {
                throw COSE.KeyError.invalidPrivateKey
            }
            let point = try group.basePoint(times: number)
            return try arithmetic.bytes(point.x, count: group.coordinateLength)
                + arithmetic.bytes(point.y, count: group.coordinateLength)
        }
    }

    /// Whether 0x04 ‖ x ‖ y names a point of secp256k1.
    static func isSecp256k1Point(_ point: [UInt8]) -> Bool {
        (try? CurveGroup.run(.secp256k1) { group, _ in group.contains(x963Representation: point) }) == true
    }

    private var digest: OpaquePointer? {
        switch self {
        case .secp256k1Private, .secp256k1Public: EVP_sha256()
        case .ed448Private, .ed448Public: nil
        }
    }

    private func withKey<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
        guard let key = makeKey() else { throw LibcryptoError() }
        defer { EVP_PKEY_free(key) }
        return try body(key)
    }

    private func makeKey() -> OpaquePointer? {
        switch self {
        case .secp256k1Private(let scalar):
            let der = DER.Serializer.bytes {
                $0.sequence {
                    $0.integer([1])
                    $0.octetString(scalar)
                    $0.tagged(0) { $0.objectIdentifier(KeyIdentifier.secp256k1) }
                }
            }
            return der.withUnsafeBufferPointer { bytes in
                var position = bytes.baseAddress
                return d2i_PrivateKey(EVP_PKEY_EC, nil, &position, bytes.count)
            }
        case .secp256k1Public(let subjectPublicKeyInfo):
            return subjectPublicKeyInfo.withUnsafeBufferPointer { bytes in
                var position = bytes.baseAddress
                return d2i_PUBKEY(nil, &position, bytes.count)
            }
        case .ed448Private(let seed): return EVP_PKEY_new_raw_private_key(EVP_PKEY_ED448, nil, seed, seed.count)
        case .ed448Public(let key): return EVP_PKEY_new_raw_public_key(EVP_PKEY_ED448, nil, key, key.count)
        }
    }
}
#endif
