import COSE
import CTAP
import CredentialExchange
import Documents
import TestSupport
import Testing
import WebAuthn

/// Damaged documents of passkeys are read or refused, and none traps.
@Suite("Malformed documents of passkeys", .serialized)
struct ExchangeFuzzTests {
    private static func passkey(_ number: UInt8, _ algorithm: COSE.Algorithm) throws -> ExchangePasskey {
        var generator = SeededGenerator(seed: UInt64(number))
        return ExchangePasskey(
            credentialID: [UInt8](repeating: number, count: 16), relyingPartyID: "example.com", username: "ada",
            userDisplayName: "Ada", userHandle: [number],
            privateKey: try COSE.PrivateKey.generate(algorithm) { generator.bytes($0) },
            extensions: ExchangeExtensions(
                hmacCredentials: .init(
                    withUV: [UInt8](repeating: 1, count: 32), withoutUV: [UInt8](repeating: 2, count: 32)),
                credBlob: [1], largeBlob: LargeBlobExtensionValue(compressing: [1, 2, 3]), payments: true))
    }

    private static func document() throws -> [UInt8] {
        let items = try [(1, COSE.Algorithm.es256), (2, .edDSA)].map { number, algorithm in
            ExchangeItem(id: [number], creationAt: 1, title: "a", passkeys: [try passkey(number, algorithm)])
        }
        let document = ExchangeDocument(
            exporterRelyingPartyID: "a.example", exporterDisplayName: "A", timestamp: 1_770_000_000,
            accounts: [ExchangeAccount(id: [9], items: items)])
        return Array(try document.json.indented().utf8)
    }

    @Test func documentsAreReadOrRefusedWithALineAndAReason() throws {
        var (generator, readable, damaged, refused) = (Fuzzing.generator(210), 0, 0, 0)
        let good = try Self.document()
        for _ in 0..<Fuzzing.rounds(6_000) {
            let bytes = Mutation.mutated(good, &generator)
            do {
                let reading = try ExchangeReading(parsing: bytes, file: "vault.json")
                readable += 1
                damaged += reading.damaged.count
                let again = Array(try reading.document.json.indented().utf8)
                let second = try ExchangeReading(parsing: again, file: "vault.json")
                if second.document.passkeys.map(\.credentialID) != reading.document.passkeys.map(\.credentialID) {
                    Issue.record("\(String(decoding: bytes, as: UTF8.self)) is another document when written")
                }
                if !second.damaged.isEmpty { Issue.record("a whole passkey is damaged when written") }
            } catch let error as SourceError {
                refused += 1
                if error.message.isEmpty || error.file.isEmpty { Issue.record("refused without a reason") }
            }
        }
        #expect(readable > 0 && damaged > 0 && refused > 0)
    }

    @Test func keysAreReadOrRefused() throws {
        var (generator, readable) = (Fuzzing.generator(211), 0)
        let keys = try [COSE.Algorithm.es256, .es512, .edDSA, .mlDSA65].map { algorithm in
            try Self.passkey(3, algorithm).privateKey.pkcs8Representation
        }
        var passkey = try Self.passkey(4, .es256)
        passkey.extensions = ExchangeExtensions()
        let document = ExchangeDocument(
            exporterRelyingPartyID: "a.example", exporterDisplayName: "A", timestamp: 0,
            accounts: [ExchangeAccount(id: [9], items: [ExchangeItem(id: [1], title: "", passkeys: [passkey])])])
        let text = String(decoding: try document.json.bytes(), as: UTF8.self)
        let own = Base64URL.encode(passkey.privateKey.pkcs8Representation)
        for round in 0..<Fuzzing.rounds(6_000) {
            let key = Mutation.mutated(keys[round % keys.count], &generator)
            let changed = text.replacing(own, with: Base64URL.encode(key))
            let reading = try ExchangeReading(parsing: Array(changed.utf8), file: "vault.json")
            readable += reading.document.passkeys.count
            if reading.damaged.count + reading.document.passkeys.count != 1 { Issue.record("\(key.hex) is lost") }
        }
        #expect(readable > 0)
    }
}
