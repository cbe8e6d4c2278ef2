import Attestation
import CBOR
import COSE
import CTAP
import SwiftASN1
import Testing
import VirtualAuthenticator
import WebAuthn
import X509

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
        for formats in [[], [.none]] as [[AttestationKind]] {
            let bench = Bench { $0.attestation = formats }
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
    func theFirstSupportedPreferredFormatIsUsed(preference: [String], format: String) async throws {
        let made = try await Bench().make { $0.attestationFormatsPreference = preference }.made()
        #expect(made.response.format == format)
        #expect((made.response.attestationStatement == [:]) == (format == "none"))
    }

    @Test(
        "The platform's most wanted kind that can speak for the key is used",
        arguments: [
            (["tpm"], COSE.Algorithm.es256, "tpm"), (["tpm"], .edDSA, "packed"),
            (["compound", "apple"], .es256, "compound"),
            (["apple", "compound"], .es256, "apple"), (["fido-u2f"], .es256, "fido-u2f"),
            (["packed"], .edDSA, "packed"),
        ])
    func theFormatDependsOnTheKeysAlgorithm(preference: [String], algorithm: COSE.Algorithm, format: String)
        async throws
    {
        let bench = Bench { $0.attestation = [.packedBasic, .fidoU2F, .tpm, .androidKey, .apple, .compound] }
        #expect(
            await bench.info().attestationFormats == [
                "packed", "fido-u2f", "tpm", "android-key", "apple", "compound",
            ])
        let made = try await bench.make {
            $0.attestationFormatsPreference = preference
            $0.pubKeyCredParams = [PublicKeyCredentialParameters(algorithm: algorithm)]
        }.made()
        #expect(made.response.format == format)
        // A U2F key has no model (WebAuthn L3 §8.6).
        if format == "fido-u2f" { #expect(try made.attested().aaguid == .zero) }
    }

    /// The serial number in the first certificate of an answer's path.
    private static func serialNumber(_ made: Made) throws -> [UInt8]? {
        let statement = try made.response.attestationStatement.asMap("attStmt")
        guard let path = statement["x5c"] else { return nil }
        let leaf = try Certificate(derEncoded: #require(path.asArray("x5c").first).asBytes("x5c"))
        let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 45724, 1, 1, 2]
        return leaf.extensions.first { $0.oid == identifier }.map { Array($0.value) }
    }

    @Test func enterpriseAttestationIdentifiesTheDeviceAndSurvivesAReset() async throws {
        func bench(_ seed: UInt64) -> Bench {
            Bench(seed: seed) {
                var enterprise = ManagementConfiguration.EnterpriseAttestation()
                enterprise.isEnabledInitially = true
                enterprise.relyingPartyIDs = ["works.example"]
                $0.management.enterpriseAttestation = enterprise
                $0.management.configSubcommands = [.enableEnterpriseAttestation]
            }
        }
        let one = bench(1)
        // Vendor-facilitated: for the relying parties that the device knows, and no others (CTAP 2.3 §7.1).
        let stranger = try await one.make { $0.enterpriseAttestation = 1 }.made()
        #expect(stranger.response.enterpriseAttestation == nil)
        #expect(try Self.serialNumber(stranger) == nil)
        let known = try await one.make {
            $0.enterpriseAttestation = 1
            $0.rp = PublicKeyCredentialRPEntity(id: "works.example")
        }.made()
        #expect(known.response.enterpriseAttestation == true)
        let serialNumber = try #require(try Self.serialNumber(known))
        // Platform-managed: for the relying parties that the platform chooses.
        let managed = try await one.make { $0.enterpriseAttestation = 2 }.made()
        #expect(managed.response.enterpriseAttestation == true)
        #expect(try Self.serialNumber(managed) == serialNumber)
        // A request without the member gets no enterprise attestation.
        #expect(try Self.serialNumber(await one.make().made()) == nil)
        let other = try await bench(2).make { $0.enterpriseAttestation = 2 }.made()
        #expect(try Self.serialNumber(other) != serialNumber)
        await one.device.powerCycle()
        #expect(await one.send(.reset).told == .ok)
        // The reset disables it (CTAP 2.3 §6.6).
        let enable = AuthenticatorConfigRequest.of(.enableEnterpriseAttestation)
        #expect(await one.send(.config, enable.cbor).told == .ok)
        #expect(try Self.serialNumber(await one.make { $0.enterpriseAttestation = 2 }.made()) == serialNumber)
    }

    @Test func aDeviceWithoutAttestationIgnoresThePreferredFormats() async throws {
        let bench = Bench { $0.attestation = [.none] }
        #expect(try await bench.make { $0.attestationFormatsPreference = ["packed"] }.made().response.format == "none")
    }
}
