import Foundation
import RelyingParty
import TestSupport
import Testing
import WebAuthn

@Suite("Malformed input of any kind", .serialized)
struct FuzzTests {
    /// SplitMix64: small, and the same on every machine.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    /// Changes bytes: flips, overwrites, cuts, repeats and inserts; never returns the bytes unchanged.
    private static func mutated(_ good: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = good
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            let position = Int.random(in: 0...bytes.count, using: &generator)
            switch Int.random(in: 0..<7, using: &generator) {
            case 0 where position < bytes.count: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 1 where position < bytes.count: bytes[position] = .random(in: .min ... .max, using: &generator)
            case 2 where position < bytes.count:
                bytes[position] =
                    [0x00, 0x7F, 0x80, 0xFF, 0x1B, 0x3B, 0x5B, 0x9B, 0xBB].randomElement(using: &generator) ?? 0
            case 3: bytes.removeLast(bytes.count - position)
            case 4: bytes.insert(.random(in: .min ... .max, using: &generator), at: position)
            case 5:
                let end = min(bytes.count, position + Int.random(in: 0..<40, using: &generator))
                bytes.insert(contentsOf: bytes[position..<end], at: position)
            default:
                let end = min(bytes.count, position + Int.random(in: 0..<12, using: &generator))
                bytes.removeSubrange(position..<end)
            }
        }
        return bytes == good ? good + [0] : bytes
    }

    @Test func changedRegistrationsAreJudgedWithoutATrap() async throws {
        var generator = Generator(state: 2026)
        let samples = try Vector.supported.map { try RegistrationSample(Vector.named($0)) }
        let responses = try samples.map { try $0.response() }
        var accepted = 0
        for round in 0..<Ring.rounds(10_000) {
            let index = round % samples.count
            var response = responses[index]
            let isObject = round % 4 != 0
            if isObject {
                response.response.attestationObject.bytes = Self.mutated(
                    response.response.attestationObject.bytes, &generator)
            } else {
                response.response.clientDataJSON.bytes = Self.mutated(
                    response.response.clientDataJSON.bytes, &generator)
            }
            let verdict = await RegistrationVerifier().verify(response, expectation: samples[index].expectation)
            #expect(verdict.ledger.isAccepted == (verdict.credential != nil))
            accepted += verdict.ledger.isAccepted ? 1 : 0
            if samples[index].kind != .none, !isObject { #expect(verdict.credential == nil) }
        }
        // Without attestation no signature covers client data and most of authenticator data: some changes stay valid.
        #expect(accepted < Ring.rounds(2_000))
    }

    @Test func changedAuthenticationsAreAllRefused() throws {
        var generator = Generator(state: 2027)
        let samples = try Vector.supported.map { try AuthenticationSample(Vector.named($0)) }
        let responses = try samples.map { try $0.response() }
        for round in 0..<Ring.rounds(10_000) {
            let index = round % samples.count
            let sample = samples[index]
            var assertion = responses[index].response
            switch round % 3 {
            case 0: assertion.authenticatorData.bytes = Self.mutated(assertion.authenticatorData.bytes, &generator)
            case 1: assertion.clientDataJSON.bytes = Self.mutated(assertion.clientDataJSON.bytes, &generator)
            default: assertion.signature.bytes = Self.mutated(assertion.signature.bytes, &generator)
            }
            var response = responses[index]
            response.response = assertion
            let verdict = AuthenticationVerifier().verify(response, expectation: sample.expectation) { _ in
                sample.record
            }
            #expect(verdict.update == nil)
            #expect(!verdict.ledger.isAccepted)
        }
    }

    @Test func changedJSONTextsAreJudgedWithoutATrap() async throws {
        var generator = Generator(state: 2028)
        let sample = try AuthenticationSample(Vector.named("packed-eddsa"))
        let registration = try RegistrationSample(Vector.named("packed-eddsa"))
        let good = Array(try JSONEncoder().encode(sample.response()))
        let goodRegistration = Array(try JSONEncoder().encode(registration.response()))
        for _ in 0..<Ring.rounds(1_000) {
            let verdict = AuthenticationVerifier().verify(
                json: Self.mutated(good, &generator), expectation: sample.expectation
            ) { _ in sample.record }
            #expect(verdict.ledger.isAccepted == (verdict.update != nil))
            let registered = await RegistrationVerifier().verify(
                json: Self.mutated(goodRegistration, &generator), expectation: registration.expectation)
            #expect(registered.ledger.isAccepted == (registered.credential != nil))
        }
    }
}
