internal import CTAP
internal import Crypto
internal import CryptoExtras
internal import Foundation

/// The key of adverts, 64 bytes: 32 for AES-256, and 32 for HMAC-SHA-256 (CTAP 2.3 §11.5).
///
/// An advert is the plaintext, encrypted as one AES block, and the first four bytes of the block's HMAC.
package struct EIDKey: Hashable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// The key of a QR secret, or of a link secret and a client nonce.
    package init(secret: [UInt8], clientNonce: [UInt8] = []) {
        bytes = KeyPurpose.eidKey.derive(from: secret, salt: clientNonce)
    }

    /// The words "EID key"; never the bytes.
    package var description: String { "EID key" }

    /// The advert of a plaintext, 20 bytes.
    package func seal(_ plaintext: AdvertPlaintext) -> [UInt8] {
        // One block with an IV of zeros is the bare block cipher, and neither length can be wrong.
        guard
            let block = Self.zeroIV.flatMap({ iv in
                try? AES._CBC.encrypt(plaintext.bytes, using: cipherKey, iv: iv, noPadding: true)
            })
        else { return [] }
        return Array(block) + tag(of: Array(block))
    }

    /// Decrypts service data; bytes after the 20 of the advert are its suffix.
    ///
    /// - Throws: ``AdvertError``.
    package func open(_ serviceData: [UInt8]) throws(AdvertError) -> OpenedAdvert {
        guard serviceData.count >= HybridAdvert.length else { throw .tooShort(serviceData.count) }
        let block = Array(serviceData[..<AdvertPlaintext.length])
        let expected = Array(serviceData[AdvertPlaintext.length..<HybridAdvert.length])
        guard constantTimeEqual(tag(of: block), expected) else { throw .foreign }
        guard let iv = Self.zeroIV,
            let opened = try? AES._CBC.decrypt(block, using: cipherKey, iv: iv, noPadding: true),
            let plaintext = AdvertPlaintext(uncheckedBytes: Array(opened))
        else { throw .foreign }
        guard plaintext.reserved == 0 else { throw .reservedByte(plaintext.reserved) }
        return OpenedAdvert(plaintext: plaintext, suffix: Array(serviceData[HybridAdvert.length...]))
    }

    private static let zeroIV = try? AES._CBC.IV(ivBytes: [UInt8](repeating: 0, count: 16))

    private var cipherKey: SymmetricKey { SymmetricKey(data: bytes[..<32]) }

    private func tag(of block: [UInt8]) -> [UInt8] {
        let code = HMAC<SHA256>.authenticationCode(for: block, using: SymmetricKey(data: bytes[32...]))
        return Array(code.prefix(HybridAdvert.tagLength))
    }
}
