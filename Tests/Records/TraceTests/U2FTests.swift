import CTAP
import TestSupport
import Testing
import Trace

@Suite("U2F messages in a trace")
struct U2FTests {
    private static let challenge = [UInt8](repeating: 0xC1, count: 32)
    private static let application = [UInt8](repeating: 0xA1, count: 32)

    private func exchange(_ apdu: [UInt8], _ answer: [UInt8]) async throws -> (TraceRequest, TraceResponse) {
        let recording = Recording()
        let trace = recording.recorder().device("key", now: { .zero })
        let answering = trace.tracedU2F { _ in answer }
        #expect(try await answering(apdu) == answer)
        for record in recording.records { #expect(try TraceLine.decode(TraceLine.encode(record)) == record) }
        return (try #require(recording.requests.first), try #require(recording.responses.first))
    }

    @Test func aRegistrationIsDecoded() async throws {
        let data = Self.challenge + Self.application
        let certificate: [UInt8] = [0x30, 0x03, 1, 2, 3]
        let answer =
            [5, 4] + [UInt8](repeating: 7, count: 64) + [2, 8, 9] + certificate + [0x30, 0x00] + [0x90, 0x00]
        // Both forms of an APDU say the same.
        for apdu in [[0, 1, 3, 0, 0, 0, 64] + data + [0, 0], [0, 1, 3, 0, 64] + data] {
            let (asked, answered) = try await exchange(apdu, answer)
            #expect(asked.command == "U2F_REGISTER")
            #expect(asked.code == 1)
            #expect(asked.message.fields.map(\.name) == ["challenge", "application"])
            #expect(asked.message.fields.map(\.value) == [Self.challenge.hex, Self.application.hex])
            #expect(answered.statusWord == 0x9000)
            #expect(!answered.isRefusal)
            #expect(
                answered.message.fields.map(\.name)
                    == ["reserved", "publicKey", "keyHandle", "certificate", "signature"])
            #expect(answered.message.fields.map(\.length) == [nil, 65, 2, 5, 2])
        }
    }

    @Test func anAuthenticationAndItsRefusalAreDecoded() async throws {
        let data = Self.challenge + Self.application + [3, 1, 2, 3]
        let apdu = [0, 2, 7, 0, UInt8(data.count)] + data
        let (asked, refused) = try await exchange(apdu, [0x69, 0x85])
        #expect(asked.command == "U2F_AUTHENTICATE")
        #expect(asked.message.fields.map(\.meaning) == ["check only", nil, nil, nil])
        #expect(refused.isRefusal)
        #expect(refused.statusWord == 0x6985)
        let (_, signed) = try await exchange(apdu, [1, 0, 0, 1, 2, 0x30, 0x00, 0x90, 0x00])
        #expect(signed.message.fields.map(\.value) == ["1", "258", "3000"])
    }

    @Test func theVersionIsAText() async throws {
        let (asked, answered) = try await exchange([0, 3, 0, 0], Array("U2F_V2".utf8) + [0x90, 0x00])
        #expect(asked.command == "U2F_VERSION")
        #expect(answered.message.fields.map(\.meaning) == ["U2F_V2"])
    }

    @Test(
        arguments: [
            [], [0], [0, 1], [0, 1, 0, 0, 64, 1], [0, 1, 0, 0, 0, 0, 64, 1], [0, 2, 3, 0, 3, 1, 2, 3],
            [0, 0x40, 0, 0, 1, 5],
        ] as [[UInt8]])
    func anUnreadableValueMayBeSecret(apdu: [UInt8]) async throws {
        let (asked, answered) = try await exchange(apdu, [0x90])
        #expect(asked.message.fields.isEmpty || asked.message.fields.last?.name == "undecoded" || apdu.count < 3)
        #expect(asked.message.raw == nil || apdu.isEmpty)
        #expect(answered.statusWord == nil)
        #expect(answered.isRefusal)
        #expect(answered.message.problem == "the status word is missing")
    }

    @Test func randomAPDUsAreDecodedWithoutATrap() async throws {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<Ring.rounds(2000) {
            var apdu = generator.bytes(.random(in: 0...90, using: &generator))
            if apdu.count > 5 {
                apdu[1] = .random(in: 1...3, using: &generator)
                if Bool.random(using: &generator) { apdu[4] = UInt8(apdu.count - 5) }
            }
            var answer = generator.bytes(.random(in: 0...90, using: &generator))
            if Bool.random(using: &generator) { answer += [0x90, 0x00] }
            _ = try await exchange(apdu, answer)
        }
    }
}
