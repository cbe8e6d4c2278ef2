import CTAPHybrid
import TestSupport
import Testing

/// CTAP 2.3 §11.5.
@Suite("Handshake of the hybrid transport")
struct HandshakeTests {
    /// Keys and secrets of both ends.
    private struct Ends {
        let identity: HybridKey
        let preSharedKey = Sample.bytes(32, seed: 3)
        let initiator: HandshakeInitiator
        let responderKey: HybridKey
        let pattern: HandshakePattern

        init(_ pattern: HandshakePattern) throws {
            self.pattern = pattern
            identity = try Sample.key(10)
            responderKey = try Sample.key(12)
            initiator = try HandshakeInitiator(
                identity: pattern == .knownInitiator ? .own(identity) : .peer(identity.publicKey),
                preSharedKey: preSharedKey, ephemeralKey: try Sample.key(11))
        }

        func answer(
            _ message: [UInt8]? = nil, identity other: HybridKey? = nil, preSharedKey secret: [UInt8]? = nil
        ) throws(HandshakeError) -> (answer: [UInt8], result: HandshakeResult) {
            let key = other ?? identity
            return try HandshakeResponder.answer(
                message ?? initiator.message,
                identity: pattern == .knownInitiator ? .peer(key.publicKey) : .own(key),
                preSharedKey: secret ?? preSharedKey, ephemeralKey: responderKey)
        }
    }

    @Test(arguments: HandshakePattern.allCases)
    func bothEndsAgree(pattern: HandshakePattern) throws {
        let ends = try Ends(pattern)
        let (answer, phone) = try ends.answer()
        let other = try ends.initiator.finish(answer)
        #expect(ends.initiator.message.count == 81)
        #expect(answer.count == 81)
        #expect(phone.hash == other.hash)
        #expect(phone.sendKey == other.receiveKey)
        #expect(phone.receiveKey == other.sendKey)
        #expect(phone.sendKey != phone.receiveKey)
        #expect("\(phone)" == "handshake result")
    }

    @Test func thePatternsHaveTheirNames() {
        #expect(
            HandshakePattern.allCases.map(\.protocolName)
                == ["Noise_KNpsk0_P256_AESGCM_SHA256", "Noise_NKpsk0_P256_AESGCM_SHA256"])
    }

    @Test func thePatternsDoNotMix() throws {
        let byCode = try Ends(.knownInitiator)
        let linked = try Ends(.knownResponder)
        #expect(throws: HandshakeError.decryptionFailed) { try byCode.answer(linked.initiator.message) }
        #expect(throws: HandshakeError.decryptionFailed) { try linked.answer(byCode.initiator.message) }
    }

    @Test(arguments: HandshakePattern.allCases)
    func anotherKeyIsNoticed(pattern: HandshakePattern) throws {
        let ends = try Ends(pattern)
        let stranger = try Sample.key(99)
        #expect(throws: HandshakeError.decryptionFailed) { try ends.answer(identity: stranger) }
        #expect(throws: HandshakeError.decryptionFailed) { try ends.answer(preSharedKey: Sample.bytes(32, seed: 4)) }
    }

    @Test(arguments: HandshakePattern.allCases)
    func otherLengthsAreRefused(pattern: HandshakePattern) throws {
        let ends = try Ends(pattern)
        let answer = try ends.answer().answer
        for count in [0, 1, 64, 65, 80] {
            #expect(throws: HandshakeError.length(count)) { try ends.answer(Array(answer.prefix(count))) }
            #expect(throws: HandshakeError.length(count)) { try ends.initiator.finish(Array(answer.prefix(count))) }
        }
        #expect(throws: HandshakeError.length(82)) { try ends.answer(ends.initiator.message + [0]) }
        #expect(throws: HandshakeError.length(82)) { try ends.initiator.finish(answer + [0]) }
    }

    @Test(arguments: HandshakePattern.allCases)
    func everyChangedByteIsNoticed(pattern: HandshakePattern) throws {
        let ends = try Ends(pattern)
        let answer = try ends.answer().answer
        for index in 0..<81 {
            var message = ends.initiator.message
            message[index] ^= 1
            let error = index < 65 ? HandshakeError.pointNotOnCurve : .decryptionFailed
            #expect(throws: error) { try ends.answer(message) }
            var changed = answer
            changed[index] ^= 1
            #expect(throws: error) { try ends.initiator.finish(changed) }
        }
    }

    @Test func anotherPointIsNoticed() throws {
        let ends = try Ends(.knownInitiator)
        let stranger = try Sample.key(99)
        let message = stranger.publicKey.uncompressed + ends.initiator.message.suffix(16)
        #expect(throws: HandshakeError.decryptionFailed) { try ends.answer(message) }
    }

    @Test func keysComeFromTheRandomSource() throws {
        let key = try Sample.key(1)
        #expect(try Sample.key(1).rawRepresentation == key.rawRepresentation)
        #expect(HybridKey(rawRepresentation: key.rawRepresentation)?.publicKey == key.publicKey)
        #expect(HybridKey(rawRepresentation: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(HybridKey { [UInt8](repeating: 255, count: $0) } == nil)
        #expect(HybridPublicKey(compressed: key.publicKey.compressed) == key.publicKey)
        #expect(HybridPublicKey(uncompressed: key.publicKey.uncompressed) == key.publicKey)
        #expect(HybridPublicKey(compressed: key.publicKey.uncompressed) == nil)
        #expect(HybridPublicKey(uncompressed: key.publicKey.compressed) == nil)
        #expect(HybridPublicKey(uncompressed: [0x06] + key.publicKey.uncompressed.dropFirst()) == nil)
    }
}
