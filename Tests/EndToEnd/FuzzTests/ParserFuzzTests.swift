import CBOR
import COSE
import CTAP
import Foundation
import TestSupport
import Testing
import WebAuthn

/// Damaged input to each parser of structures that a stranger sends; none traps, and the reader returns the sent values.
@Suite("Malformed input to parsers", .serialized)
struct ParserFuzzTests {
    /// The base point of P-256 as an ES256 key.
    private static let cose: [UInt8] = {
        var map = CBOR.Map()
        map[1] = 2
        map[3] = -7
        map[-1] = 1
        map[-2] = .bytes([UInt8](hex: "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"))
        map[-3] = .bytes([UInt8](hex: "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"))
        return CBOR.encode(.map(map))
    }()

    private static let authenticatorData: [UInt8] =
        Seeds.hash + [0x45, 0, 0, 0, 1] + [UInt8](repeating: 9, count: 16) + [0, 4, 1, 2, 3, 4] + cose

    private static let attestationObject: [UInt8] = {
        var map = CBOR.Map()
        map["fmt"] = "none"
        map["attStmt"] = .map(CBOR.Map())
        map["authData"] = .bytes(authenticatorData)
        return CBOR.encode(.map(map))
    }()

    private static let clientData = Array(
        #"{"type":"webauthn.get","challenge":"AAEC","origin":"https://example.com","crossOrigin":false}"#.utf8)

    @Test func authenticatorDataIsReadOrRefused() {
        var (generator, readable) = (Fuzzing.generator(6), 0)
        for _ in 0..<Fuzzing.rounds(10_000) {
            let bytes = Mutation.mutated(Self.authenticatorData, &generator)
            guard let data = try? AuthenticatorData(parsing: bytes) else { continue }
            readable += 1
            if Array(bytes[..<32]) != data.relyingPartyIDHash { Issue.record("\(bytes.hex) has another RP ID hash") }
        }
        #expect(readable > 0)
    }

    @Test func attestationObjectsAreReadOrRefused() {
        var (generator, readable) = (Fuzzing.generator(7), 0)
        for _ in 0..<Fuzzing.rounds(10_000) {
            let bytes = Mutation.mutated(Self.attestationObject, &generator)
            if (try? AttestationObject(parsing: bytes)) != nil { readable += 1 }
        }
        #expect(readable > 0)
    }

    @Test func keysAreReadOrRefused() {
        var (generator, readable) = (Fuzzing.generator(8), 0)
        for _ in 0..<Fuzzing.rounds(10_000) {
            let bytes = Mutation.mutated(Self.cose, &generator)
            guard let value = try? CBOR.decode(bytes), let key = try? COSE.PublicKey(cbor: value) else { continue }
            readable += 1
            if (try? COSE.PublicKey(cbor: key.cbor)) != key { Issue.record("\(bytes.hex) is read as another key") }
        }
        #expect(readable > 0)
    }

    @Test func clientDataIsReadAsByFoundation() {
        var (generator, readable) = (Fuzzing.generator(9), 0)
        for _ in 0..<Fuzzing.rounds(10_000) {
            let bytes = Mutation.mutated(Self.clientData, &generator)
            guard let read = try? CollectedClientData(parsing: bytes) else { continue }
            readable += 1
            let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            if object?["challenge"] as? String != read.challenge {
                Issue.record("\(bytes.hex) has another challenge")
            }
        }
        #expect(readable > 0)
    }

    @Test func responsesInJSONAreReadAsByFoundation() throws {
        let response = AuthenticationResponse(
            credentialID: [1, 2, 3], authenticatorAttachment: .platform,
            response: AssertionResponse(
                clientDataJSON: Self.clientData, authenticatorData: Self.authenticatorData, signature: Seeds.hash,
                userHandle: [7]))
        let good = Array(try JSONEncoder().encode(response))
        var (generator, readable) = (Fuzzing.generator(10), 0)
        for _ in 0..<Fuzzing.rounds(10_000) {
            let bytes = Mutation.mutated(good, &generator)
            guard let quick = AuthenticationResponse(quickly: bytes) else { continue }
            readable += 1
            if (try? JSONDecoder().decode(AuthenticationResponse.self, from: Data(bytes))) != quick {
                Issue.record("\(bytes.hex) is read otherwise by JSONDecoder")
            }
        }
        #expect(readable > 0)
    }

    @Test func commandsOfSmartCardsAreReadOrRefused() {
        let good: [UInt8] = [0x80, 0x10, 0, 0, 5, 4, 0xA1, 1, 2, 3, 0]
        var (generator, readable) = (Fuzzing.generator(11), 0)
        for _ in 0..<Fuzzing.rounds(10_000) {
            let bytes = Mutation.mutated(good, &generator)
            if let command = try? CommandAPDU(parsing: bytes) {
                readable += 1
                if command.data.count > bytes.count { Issue.record("\(bytes.hex) is read with more bytes") }
            }
            _ = try? U2FRequest(parsing: bytes)
        }
        #expect(readable > 0)
    }
}
