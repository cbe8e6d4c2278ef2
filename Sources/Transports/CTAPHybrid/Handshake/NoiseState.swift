internal import Crypto
internal import Foundation

/// The SymmetricState of the Noise protocol, with AES-256-GCM and SHA-256 (Noise revision 34 §5.2).
///
/// The hybrid transport's messages carry no payload, so each key encrypts one empty text, with a nonce of zeros.
struct NoiseState {
    static let tagLength = 16
    private static let hashLength = 32

    private(set) var hash: [UInt8]
    private var chainingKey: [UInt8]
    private var key: [UInt8]

    /// The state after the name of the protocol, a prologue of one byte and the known static key (CTAP 2.3 §11.5).
    init(_ pattern: HandshakePattern, staticKey: HybridPublicKey) {
        let name = Array(pattern.protocolName.utf8)
        chainingKey = name + [UInt8](repeating: 0, count: max(0, Self.hashLength - name.count))
        hash = chainingKey
        key = []
        mixHash([pattern.prologue])
        mixHash(staticKey.uncompressed)
    }

    mutating func mixHash(_ data: [UInt8]) { hash = Array(SHA256.hash(data: hash + data)) }

    mutating func mixKey(_ material: [UInt8]) {
        let output = expand(material, 2)
        chainingKey = output[0]
        key = output[1]
    }

    mutating func mixKeyAndHash(_ material: [UInt8]) {
        let output = expand(material, 3)
        chainingKey = output[0]
        mixHash(output[1])
        key = output[2]
    }

    /// A key of the handshake in the message: `e` of a pattern with a pre-shared key (Noise revision 34 §9.2).
    mutating func mixEphemeralKey(_ bytes: [UInt8]) {
        mixHash(bytes)
        mixKey(bytes)
    }

    /// The tag of the empty text.
    mutating func seal() throws(HandshakeError) -> [UInt8] {
        guard let nonce = Self.nonce,
            let box = try? AES.GCM.seal([UInt8](), using: SymmetricKey(data: key), nonce: nonce, authenticating: hash)
        else { throw .decryptionFailed }
        let tag = Array(box.tag)
        mixHash(tag)
        return tag
    }

    /// Checks the tag of the empty text.
    mutating func open(_ tag: [UInt8]) throws(HandshakeError) {
        guard let nonce = Self.nonce,
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: [UInt8](), tag: tag),
            (try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: hash)) != nil
        else { throw .decryptionFailed }
        mixHash(tag)
    }

    /// The keys of the initiator's and the responder's frames.
    func split() -> (initiator: [UInt8], responder: [UInt8]) {
        let output = expand([], 2)
        return (output[0], output[1])
    }

    private static let nonce = try? AES.GCM.Nonce(data: [UInt8](repeating: 0, count: 12))

    private func expand(_ material: [UInt8], _ count: Int) -> [[UInt8]] {
        let output = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: material), salt: chainingKey, info: [UInt8](),
            outputByteCount: count * Self.hashLength
        ).withUnsafeBytes { Array($0) }
        return (0..<count).map { Array(output[$0 * Self.hashLength..<($0 + 1) * Self.hashLength]) }
    }
}
