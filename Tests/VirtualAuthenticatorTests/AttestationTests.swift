import CBOR
import COSE
import CTAP
import Testing
import VirtualAuthenticator
import WebAuthn

@Suite("Attestation")
struct AttestationTests {
    @Test(arguments: COSE.Algorithm.supported)
    func selfAttestationIsSignedWithTheCredentialsOwnKey(algorithm: COSE.Algorithm) async throws {
        let made = try await Bench { $0.algorithms = [algorithm] }.make {
            $0.pubKeyCredParams = [PublicKeyCredentialParameters(algorithm: algorithm)]
        }.made()
        #expect(made.response.format == "packed")
        let statement = try made.response.attestationStatement.asMap("attStmt")
        // Self attestation has no certificate chain (WebAuthn L3 §8.2).
        #expect(Set(statement.keys) == ["alg", "sig"])
        let key = try COSE.PublicKey(cbor: made.attested().credentialPublicKey)
        #expect(statement["alg"] == .integer(key.algorithm.rawValue))
        let signature = try #require(statement["sig"]).asBytes("sig")
        #expect(key.verify(signature, over: made.response.authenticatorData + Bench.hash))
    }

    @Test func aDeviceWithoutAttestationSendsAnEmptyStatement() async throws {
        for formats in [[], [.none]] as [[AttestationStatementFormat]] {
            let bench = Bench { $0.attestationFormats = formats }
            let made = try await bench.make().made()
            #expect(made.response.format == "none")
            #expect(made.response.attestationStatement == [:])
            // "none" is implied and never listed.
            #expect(await bench.info().attestationFormats == nil)
        }
        #expect(await Bench().info().attestationFormats == ["packed"])
    }

    @Test(arguments: [
        (["none"], "none"), (["packed"], "packed"), (["none", "packed"], "none"), (["packed", "none"], "packed"),
        (["tpm", "none"], "none"), (["tpm", "apple"], "packed"), ([], "packed"),
    ])
    func theFirstFormatBothKnowIsUsedAndTheDevicesOwnOtherwise(preference: [String], format: String) async throws {
        let made = try await Bench().make { $0.attestationFormatsPreference = preference }.made()
        #expect(made.response.format == format)
        #expect((made.response.attestationStatement == [:]) == (format == "none"))
    }

    @Test func aDeviceThatMakesNoneIsNotTalkedIntoAnything() async throws {
        let bench = Bench { $0.attestationFormats = [.none] }
        #expect(try await bench.make { $0.attestationFormatsPreference = ["packed"] }.made().response.format == "none")
    }
}
