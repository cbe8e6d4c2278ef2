public import CBOR
internal import Crypto
internal import Foundation

/// One entry of the large-blob array: `{1: ciphertext, 2: nonce, 3: origSize}` (CTAP 2.3 §6.10.3).
///
/// The ciphertext is AEAD_AES_256_GCM over the compressed blob, its 16-byte tag at the end. An entry belongs
/// to the credential whose largeBlobKey decrypts it.
public struct LargeBlobEntry: Hashable, Sendable {
    /// 0x01.
    public var ciphertext: [UInt8]
    /// 0x02, 12 bytes.
    public var nonce: [UInt8]
    /// 0x03, the blob's length in bytes before it was compressed.
    public var originalSize: UInt64

    /// The bytes of a largeBlobKey.
    public static let keyLength = 32
    /// The bytes of a nonce.
    public static let nonceLength = 12
    private static let tagLength = 16

    /// Compresses and encrypts a blob; nil for a key or a nonce of another length.
    public init?(sealing blob: [UInt8], key: [UInt8], nonce: [UInt8]) {
        guard key.count == Self.keyLength, nonce.count == Self.nonceLength,
            let compressed = Deflate.compress(blob), let gcmNonce = try? AES.GCM.Nonce(data: nonce)
        else { return nil }
        originalSize = UInt64(blob.count)
        let sealed = try? AES.GCM.seal(
            compressed, using: SymmetricKey(data: key), nonce: gcmNonce,
            authenticating: Self.associatedData(originalSize))
        guard let sealed else { return nil }
        ciphertext = Array(sealed.ciphertext) + Array(sealed.tag)
        self.nonce = nonce
    }

    /// Reads an item of the array; nil for one that is not an entry, which a platform leaves unchanged.
    public init?(cbor: CBOR.Value) {
        guard case .map(let map) = cbor, case .bytes(let ciphertext)? = map[0x01], case .bytes(let nonce)? = map[0x02],
            nonce.count == Self.nonceLength, case .unsigned(let size)? = map[0x03]
        else { return nil }
        self.ciphertext = ciphertext
        self.nonce = nonce
        originalSize = size
    }

    /// Whether the entry belongs to the credential with this key.
    public func isOpened(by key: [UInt8]) -> Bool { compressed(key) != nil }

    /// The blob; nil when the entry belongs to another credential or is damaged.
    public func blob(key: [UInt8]) -> [UInt8]? {
        guard let compressed = compressed(key), let count = Int(exactly: originalSize) else { return nil }
        return Deflate.decompress(compressed, count: count)
    }

    /// The item of the array.
    public var cbor: CBOR.Value { [0x01: .bytes(ciphertext), 0x02: .bytes(nonce), 0x03: .unsigned(originalSize)] }

    private func compressed(_ key: [UInt8]) -> [UInt8]? {
        guard key.count == Self.keyLength, ciphertext.count >= Self.tagLength,
            let gcmNonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(
                nonce: gcmNonce, ciphertext: ciphertext.dropLast(Self.tagLength),
                tag: ciphertext.suffix(Self.tagLength)),
            let compressed = try? AES.GCM.open(
                box, using: SymmetricKey(data: key), authenticating: Self.associatedData(originalSize))
        else { return nil }
        return Array(compressed)
    }

    /// `"blob"` and the original size as uint64 in little-endian order.
    private static func associatedData(_ originalSize: UInt64) -> [UInt8] {
        Array("blob".utf8) + (0..<8).map { UInt8(truncatingIfNeeded: originalSize >> (8 * $0)) }
    }
}
