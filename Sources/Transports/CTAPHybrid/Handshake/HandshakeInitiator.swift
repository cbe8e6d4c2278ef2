/// The other end of the handshake, which begins it (CTAP 2.3 §11.5).
package struct HandshakeInitiator: Sendable {
    /// The static key that the pattern demands.
    package enum Identity: Sendable {
        /// By QR code: this end's own key.
        case own(HybridKey)
        /// For a linked phone: the phone's key.
        case peer(HybridPublicKey)
    }

    /// The first message, 81 bytes.
    package let message: [UInt8]

    private let identity: Identity
    private let ephemeralKey: HybridKey
    private let state: NoiseState

    /// - Parameters:
    ///   - preSharedKey: 32 bytes, ``KeyPurpose/preSharedKey``.
    ///   - ephemeralKey: a new key.
    /// - Throws: ``HandshakeError/decryptionFailed`` when no secret is shared with the peer's key.
    package init(identity: Identity, preSharedKey: [UInt8], ephemeralKey: HybridKey) throws(HandshakeError) {
        var state =
            switch identity {
            case .own(let key): NoiseState(.knownInitiator, staticKey: key.publicKey)
            case .peer(let key): NoiseState(.knownResponder, staticKey: key)
            }
        state.mixKeyAndHash(preSharedKey)
        let point = ephemeralKey.publicKey.uncompressed
        state.mixEphemeralKey(point)
        if case .peer(let key) = identity { state.mixKey(try ephemeralKey.agree(key)) }
        message = point + (try state.seal())
        self.identity = identity
        self.ephemeralKey = ephemeralKey
        self.state = state
    }

    /// Reads the phone's answer.
    ///
    /// - Throws: ``HandshakeError``.
    package func finish(_ answer: [UInt8]) throws(HandshakeError) -> HandshakeResult {
        let (bytes, point, tag) = try HandshakeMessage.split(answer)
        var state = state
        state.mixEphemeralKey(bytes)
        state.mixKey(try ephemeralKey.agree(point))
        if case .own(let key) = identity { state.mixKey(try key.agree(point)) }
        try state.open(tag)
        let keys = state.split()
        return HandshakeResult(hash: state.hash, sendKey: keys.initiator, receiveKey: keys.responder)
    }
}

extension HybridKey {
    func agree(_ peer: HybridPublicKey) throws(HandshakeError) -> [UInt8] {
        guard let secret = sharedSecret(with: peer) else { throw .decryptionFailed }
        return secret
    }
}
