/// The phone's part of the handshake, which answers (CTAP 2.3 §11.5).
package enum HandshakeResponder {
    /// The static key that the pattern demands.
    package enum Identity: Sendable {
        /// By QR code: the other end's key.
        case peer(HybridPublicKey)
        /// For a linked phone: this phone's own key.
        case own(HybridKey)
    }

    /// Answers the first message; the answer has 81 bytes.
    ///
    /// - Parameters:
    ///   - preSharedKey: 32 bytes, ``KeyPurpose/preSharedKey``.
    ///   - ephemeralKey: a new key.
    /// - Throws: ``HandshakeError``.
    package static func answer(
        _ message: [UInt8], identity: Identity, preSharedKey: [UInt8], ephemeralKey: HybridKey
    ) throws(HandshakeError) -> (answer: [UInt8], result: HandshakeResult) {
        let (bytes, point, tag) = try HandshakeMessage.split(message)
        var state =
            switch identity {
            case .peer(let key): NoiseState(.knownInitiator, staticKey: key)
            case .own(let key): NoiseState(.knownResponder, staticKey: key.publicKey)
            }
        state.mixKeyAndHash(preSharedKey)
        state.mixEphemeralKey(bytes)
        if case .own(let key) = identity { state.mixKey(try key.agree(point)) }
        try state.open(tag)

        let ownPoint = ephemeralKey.publicKey.uncompressed
        state.mixEphemeralKey(ownPoint)
        state.mixKey(try ephemeralKey.agree(point))
        if case .peer(let key) = identity { state.mixKey(try ephemeralKey.agree(key)) }
        let answer = ownPoint + (try state.seal())
        let keys = state.split()
        return (answer, HandshakeResult(hash: state.hash, sendKey: keys.responder, receiveKey: keys.initiator))
    }
}
