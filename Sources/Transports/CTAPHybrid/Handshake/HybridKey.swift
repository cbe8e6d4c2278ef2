internal import Crypto
internal import Foundation

/// A P-256 public key of the hybrid transport.
package struct HybridPublicKey: Hashable, Sendable {
    /// The bytes of the compressed X9.62 form: 02 or 03, and x.
    package static let compressedLength = 33
    /// The bytes of the uncompressed X9.62 form: 04, x and y.
    package static let uncompressedLength = 65

    /// The compressed X9.62 form.
    package let compressed: [UInt8]
    /// The uncompressed X9.62 form.
    package let uncompressed: [UInt8]
    let key: P256.KeyAgreement.PublicKey

    init(_ key: P256.KeyAgreement.PublicKey) {
        self.key = key
        compressed = Array(key.compressedRepresentation)
        uncompressed = Array(key.x963Representation)
    }

    /// Reads the compressed form; nil for other bytes, or a point that is not on the curve.
    package init?(compressed bytes: [UInt8]) {
        guard bytes.count == Self.compressedLength,
            let key = try? P256.KeyAgreement.PublicKey(compressedRepresentation: bytes)
        else { return nil }
        self.init(key)
    }

    /// Reads the uncompressed form; nil for other bytes, or a point that is not on the curve.
    package init?(uncompressed bytes: [UInt8]) {
        guard bytes.count == Self.uncompressedLength, bytes.first == 0x04,
            let key = try? P256.KeyAgreement.PublicKey(x963Representation: bytes)
        else { return nil }
        self.init(key)
    }

    package static func == (left: HybridPublicKey, right: HybridPublicKey) -> Bool {
        left.compressed == right.compressed
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(compressed) }
}

/// A P-256 key pair of the hybrid transport: the QR code's key, a phone's identity, or a key of one handshake.
package struct HybridKey: Sendable, CustomStringConvertible {
    private let key: P256.KeyAgreement.PrivateKey
    package let publicKey: HybridPublicKey

    /// Reads a scalar of 32 bytes; nil for one that is not between 1 and the order of the curve.
    package init?(rawRepresentation bytes: [UInt8]) {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: bytes) else { return nil }
        self.key = key
        publicKey = HybridPublicKey(key.publicKey)
    }

    /// Makes a key from random bytes; a seeded source gives the same key each time.
    ///
    /// - Returns: nil when the source keeps returning bytes that are not a scalar.
    package init?(randomBytes: (Int) -> [UInt8]) {
        for _ in 0..<64 {
            if let key = HybridKey(rawRepresentation: randomBytes(32)) {
                self = key
                return
            }
        }
        return nil
    }

    /// The scalar, 32 bytes.
    package var rawRepresentation: [UInt8] { Array(key.rawRepresentation) }

    /// The words "hybrid key"; never the scalar.
    package var description: String { "hybrid key" }

    /// The x coordinate of the agreed point, 32 bytes; nil for a point without one.
    func sharedSecret(with peer: HybridPublicKey) -> [UInt8]? {
        guard let secret = try? key.sharedSecretFromKeyAgreement(with: peer.key) else { return nil }
        return secret.withUnsafeBytes { Array($0) }
    }
}
