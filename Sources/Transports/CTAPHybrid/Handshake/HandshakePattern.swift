/// A pattern of the Noise handshake (CTAP 2.3 §11.5).
package enum HandshakePattern: Hashable, Sendable, CaseIterable {
    /// By QR code: the phone knows the other end's key from the code.
    case knownInitiator
    /// For a linked phone: the other end knows the phone's key.
    case knownResponder

    package var protocolName: String {
        switch self {
        case .knownInitiator: "Noise_KNpsk0_P256_AESGCM_SHA256"
        case .knownResponder: "Noise_NKpsk0_P256_AESGCM_SHA256"
        }
    }

    var prologue: UInt8 {
        switch self {
        case .knownInitiator: 1
        case .knownResponder: 0
        }
    }
}

/// The result of a handshake for one end.
package struct HandshakeResult: Hashable, Sendable, CustomStringConvertible {
    /// The hash of the whole handshake, 32 bytes, which linking information signs.
    package let hash: [UInt8]
    /// The key of the frames that this end sends, 32 bytes.
    package let sendKey: [UInt8]
    /// The key of the frames that this end receives, 32 bytes.
    package let receiveKey: [UInt8]

    /// The words "handshake result"; never the keys.
    package var description: String { "handshake result" }
}

/// The reason for refusing a handshake message.
package enum HandshakeError: Error, Hashable, Sendable, CustomStringConvertible {
    case length(Int)
    case pointNotOnCurve
    /// The tag does not match: the pre-shared key, a static key or the message is another one.
    case decryptionFailed

    package var description: String {
        switch self {
        case .length(let count):
            "The handshake message has length \(count). Send \(HandshakeMessage.length) bytes: a point and a tag."
        case .pointNotOnCurve: "The handshake message does not begin with a point on P-256. Send its uncompressed form."
        case .decryptionFailed:
            "The handshake message does not decrypt: the pre-shared key, a static key or the message differs. "
                + "Scan the code again."
        }
    }
}

/// A message of the handshake: an uncompressed P-256 point (65 bytes) and a tag (16 bytes).
package enum HandshakeMessage {
    package static let length = HybridPublicKey.uncompressedLength + NoiseState.tagLength

    /// The bytes of the point, the point, and the tag.
    static func split(
        _ message: [UInt8]
    ) throws(HandshakeError) -> (bytes: [UInt8], point: HybridPublicKey, tag: [UInt8]) {
        guard message.count == length else { throw .length(message.count) }
        let bytes = Array(message[..<HybridPublicKey.uncompressedLength])
        guard let point = HybridPublicKey(uncompressed: bytes) else { throw .pointNotOnCurve }
        return (bytes, point, Array(message[HybridPublicKey.uncompressedLength...]))
    }
}
