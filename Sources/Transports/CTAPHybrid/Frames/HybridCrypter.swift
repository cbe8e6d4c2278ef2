internal import Crypto
internal import Foundation

/// Encrypts and decrypts the frames after the handshake (CTAP 2.3 §11.5).
///
/// A text is padded to a multiple of 32 bytes: zeros, and a last byte with their number. AES-256-GCM appends 16 bytes.
package struct HybridCrypter: Sendable, CustomStringConvertible {
    /// The last counter that encrypts a frame.
    package static let lastCounter: UInt32 = (1 << 24) - 1
    /// The longest frame in bytes, far above any CTAP message.
    package static let longestFrame = 1 << 20

    private static let paddingGranularity = 32
    private static let tagLength = 16

    /// The construction; nil until the first received frame shows the peer's.
    package private(set) var construction: FrameConstruction?

    private let sendKey: SymmetricKey
    private let receiveKey: SymmetricKey
    private var sent: UInt32
    private var received: UInt32

    /// - Parameters:
    ///   - construction: nil to recognise the peer's at its first frame.
    ///   - counter: the counter of the next frame in both directions.
    package init(
        sendKey: [UInt8], receiveKey: [UInt8], construction: FrameConstruction?, counter: UInt32 = 0
    ) {
        self.sendKey = SymmetricKey(data: sendKey)
        self.receiveKey = SymmetricKey(data: receiveKey)
        self.construction = construction
        sent = counter
        received = counter
    }

    package init(_ result: HandshakeResult, construction: FrameConstruction?) {
        self.init(sendKey: result.sendKey, receiveKey: result.receiveKey, construction: construction)
    }

    /// The words "hybrid crypter"; never the keys.
    package var description: String { "hybrid crypter" }

    /// Encrypts a text; without a known construction in CTAP 2.3's.
    ///
    /// - Throws: ``FrameError/countersUsedUp`` or ``FrameError/tooLong(_:)``.
    package mutating func seal(_ text: [UInt8]) throws(FrameError) -> [UInt8] {
        guard sent <= Self.lastCounter else { throw .countersUsedUp }
        let padded = Self.pad(text)
        guard padded.count + Self.tagLength <= Self.longestFrame else { throw .tooLong(text.count) }
        let construction = construction ?? .bigEndian
        guard let nonce = try? AES.GCM.Nonce(data: construction.nonce(sent)),
            let box = try? AES.GCM.seal(
                padded, using: sendKey, nonce: nonce, authenticating: construction.associatedData)
        else { throw .decryptionFailed }
        sent += 1
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// Decrypts a frame; a frame that is refused does not use up a counter.
    ///
    /// - Throws: ``FrameError``.
    package mutating func open(_ frame: [UInt8]) throws(FrameError) -> [UInt8] {
        guard received <= Self.lastCounter else { throw .countersUsedUp }
        guard frame.count <= Self.longestFrame else { throw .tooLong(frame.count) }
        guard frame.count >= Self.tagLength else { throw .tooShort(frame.count) }
        let candidates = construction.map { [$0] } ?? [.bigEndian, .littleEndian]
        for candidate in candidates {
            guard let padded = decrypt(frame, candidate) else { continue }
            construction = candidate
            received += 1
            return try Self.unpad(padded)
        }
        throw .decryptionFailed
    }

    private func decrypt(_ frame: [UInt8], _ construction: FrameConstruction) -> [UInt8]? {
        let end = frame.count - Self.tagLength
        guard let nonce = try? AES.GCM.Nonce(data: construction.nonce(received)),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: frame[..<end], tag: frame[end...]),
            let padded = try? AES.GCM.open(box, using: receiveKey, authenticating: construction.associatedData)
        else { return nil }
        return Array(padded)
    }

    private static func pad(_ text: [UInt8]) -> [UInt8] {
        let zeros = paddingGranularity - 1 - text.count % paddingGranularity
        return text + [UInt8](repeating: 0, count: zeros) + [UInt8(zeros)]
    }

    private static func unpad(_ padded: [UInt8]) throws(FrameError) -> [UInt8] {
        guard let zeros = padded.last, Int(zeros) < padded.count else { throw .padding }
        return Array(padded.dropLast(Int(zeros) + 1))
    }
}
