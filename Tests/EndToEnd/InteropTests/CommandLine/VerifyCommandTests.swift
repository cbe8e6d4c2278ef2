import Attestation
import AttestationSamples
import COSE
import Documents
import Foundation
import SwiftASN1
import TestSupport
import Testing
import WebAuthn
import X509

extension Interop {
    /// `touchstone verify` in a separate process.
    @Suite struct VerifyCommandTests {
        private let touchstone = Touchstone(runtimeDirectory: FileManager.default.temporaryDirectory)
        private let folder: TemporaryFolder
        private let authority: AttestationAuthority

        init() throws {
            (folder, authority) = (try TemporaryFolder(), try AttestationAuthority())
        }

        /// The model of the samples.
        private static let model = "\(AttestationSample.model)"
        private static let otherModel = "00000000-0000-4000-8000-000000000001"

        @discardableResult
        private func write(_ bytes: [UInt8], to name: String) throws -> String {
            try Data(bytes).write(to: folder.url.appending(path: name))
            return folder.path(name)
        }

        private static func document(_ sample: AttestationSample) throws -> [String: JSONValue] {
            let response = RegistrationResponse(
                credentialID: sample.credentialID, authenticatorAttachment: nil,
                response: AttestationResponse(
                    clientDataJSON: sample.clientDataJSON, attestationObject: sample.object.encoded))
            return [
                "response": try JSONValue(encoding: response), "challenge": .text(Base64URL.encode(sample.challenge)),
                "origin": .text(AttestationSample.origin),
            ]
        }

        private func capture(_ kind: AttestationKind, flaw: AttestationFlaw? = nil) throws -> String {
            let sample = try AttestationSample(kind, flaw: flaw, authority: authority)
            return try write(JSONValue.object(Self.document(sample)).bytes(), to: "\(kind.rawValue).json")
        }

        /// One of the specification's test vectors.
        private func vector(_ name: String) throws -> String {
            let file = "Tests/RelyingParty/RelyingPartyTests/Vectors/webauthn-l3.json"
            let vectors = try JSONValue(parsing: Array(Data(contentsOf: PackageRoot.url.appending(path: file))))
            let registration = try #require(vectors["vectors"]?[name]?["registration"])
            let document: JSONValue = [
                "response": [
                    "rawId": try #require(registration["credential_id"]),
                    "response": [
                        "clientDataJSON": try #require(registration["clientDataJSON"]),
                        "attestationObject": try #require(registration["attestationObject"]),
                    ],
                ],
                "challenge": try #require(registration["challenge"]), "origin": "https://example.org",
            ]
            return try write(document.bytes(), to: "\(name).json")
        }

        private func expect(
            _ file: String, _ options: [String], _ status: Int32, _ words: String = "",
            _ location: SourceLocation = #_sourceLocation
        ) async throws {
            let output = try await touchstone.run(["verify", file] + options)
            let text = output.standardOutput + "\n" + output.standardError
            #expect(output.status == status, "\(options): \(text)", sourceLocation: location)
            #expect(words.isEmpty || text.contains(words), "\(options): \(text)", sourceLocation: location)
        }

        private static let untrusted = "FAIL r17"

        @Test func trustedRootsAcceptTheirPathsAndRefuseOthers() async throws {
            let file = try capture(.packedBasic)
            let own = try write(Array(authority.rootPEM.utf8), to: "own.pem")
            let other = try write(
                Array(try AttestationAuthority(seed: [UInt8](repeating: 9, count: 32)).rootPEM.utf8), to: "other.pem")
            try await expect(file, ["--trust", "touchstone"], 0, "trusted, and proves the model")
            try await expect(file, ["--trust", own], 0, "trusted, and proves the model")
            try await expect(file, ["--trust", other], 1, Self.untrusted)
            try await expect(file, ["--trust-model", "\(Self.model)=\(own)"], 0, "trusted, and proves the model")
            try await expect(file, ["--trust-model", "\(Self.otherModel)=\(own)"], 1, "noTrustAnchor")
            try await expect(file, ["--trust-model", "packed=\(own)"], 2, "aaguid=root")
        }

        @Test func certificatesAreJudgedNowOrAtTheGivenTime() async throws {
            let file = try capture(.packedBasic)
            for (time, status, words) in [
                ("2026-01-31", 0, "judged at 2026-01-31T00:00:00Z"), ("2026-01-31T12:00:00+02:00", 0, "T10:00:00Z"),
                ("2019-12-31", 1, "is not valid before 2020-01-01"), ("2061-01-01", 1, "expired on 2060-01-01"),
                ("2026-01-31T12:00Z", 0, "judged at 2026-01-31T12:00:00Z"),
                ("yesterday", 2, "--at"), ("1969-01-01", 2, "--at"), ("2026-01-31 12:00", 2, "--at"),
                ("2026-01-31T12:00", 2, "--at"), ("2026-01-31garbage", 2, "--at"), ("2026-02-30", 2, "--at"),
                ("2026-01-31T25:00Z", 2, "--at"),
            ] as [(String, Int32, String)] {
                try await expect(file, ["--trust", "touchstone", "--at", time], status, words)
            }
            let expired = try capture(.packedBasic, flaw: .expired)
            try await expect(expired, ["--trust", "touchstone"], 1, "expired on 2021-01-01")
            try await expect(expired, ["--trust", "touchstone", "--at", "2020-06-01"], 0)
        }

        @Test func acceptedModelsFormatsAndKindsRefuseOthers() async throws {
            let (packed, own, none) = try (capture(.packedBasic), capture(.packed), capture(.none))
            let trust = ["--trust", "touchstone"]
            try await expect(packed, trust + ["--accept-model", Self.model], 0)
            try await expect(packed, trust + ["--accept-model", Self.otherModel], 1, "modelNotAccepted")
            try await expect(
                packed, trust + ["--accept-model", Self.otherModel, "--accept-model", Self.model], 0)
            try await expect(own, trust + ["--accept-model", Self.model], 1, "modelUnproven")
            try await expect(packed, ["--accept-model", Self.model], 2, "--accept-model needs --trust")
            try await expect(packed, ["--accept-format", "packed"], 0)
            try await expect(packed, ["--accept-format", "none", "--accept-format", "tpm"], 1, "formatNotAccepted")
            try await expect(none, ["--accept-format", "none"], 0)
            try await expect(packed, ["--accept-format", "packet"], 2, "fido-u2f")
            try await expect(packed, ["--require-attestation"], 0)
            try await expect(none, ["--require-attestation"], 1, "attestation is required")
            try await expect(packed, ["--refuse-self-attestation"], 0)
            try await expect(own, ["--refuse-self-attestation"], 1, "self attestation is not accepted")
        }

        @Test func rulesForStatementsRefuseThoseThatBreakThem() async throws {
            func rule(_ name: String) -> [String] { ["--attestation-rule", name] }
            try await expect(try capture(.fidoU2F), rule("u2f-zero-aaguid"), 0)
            let u2f = try vector("fido-u2f-es256")
            try await expect(u2f, [], 0, "flag r16")
            try await expect(u2f, rule("u2f-zero-aaguid"), 1, "FAIL r16")
            try await expect(try capture(.androidKey), rule("android-trusted-environment"), 0)
            let android = try vector("android-key-es256")
            try await expect(android, [], 0)
            try await expect(android, rule("android-trusted-environment"), 1, "originNotGenerated")
            try await expect(try capture(.tpm), rule("tpm-registered-manufacturer"), 0)
            let tpm = try capture(.tpm, flaw: .tpmManufacturer)
            try await expect(tpm, [], 0)
            try await expect(tpm, rule("tpm-registered-manufacturer"), 1, "FAIL r16")
        }

        @Test func androidKeysOnGooglesListAreRefused() async throws {
            let sample = try AttestationSample(.androidKey, authority: authority)
            let file = try write(JSONValue.object(Self.document(sample)).bytes(), to: "android.json")
            let leaf = try Certificate(derEncoded: try #require(try sample.certificates.first))
            let digits = String(Hex.encode(Array(leaf.serialNumber.bytes)).drop { $0 == "0" })
            for (number, status) in [("1234", 0), (digits, 1)] as [(String, Int32)] {
                let list = #"{"entries":{"\#(number)":{"status":"REVOKED","reason":"KEY_COMPROMISE"}}}"#
                let path = try write(Array(list.utf8), to: "list.json")
                try await expect(
                    file, ["--trust", "touchstone", "--android-revocations", path], status,
                    status == 0 ? "accepted" : "REVOKED, KEY_COMPROMISE")
            }
            let text = try write(Array("[]".utf8), to: "list.json")
            try await expect(
                file, ["--android-revocations", text], 2, "is not Google's list of revoked keys in JSON with `entries`")
        }

        /// A BLOB with the samples' model, and the options that name it.
        private func metadata(
            statuses: [String] = [#"{"status":"FIDO_CERTIFIED","effectiveDate":"2020-02-03"}"#],
            _ edit: (inout MetadataForm) -> Void = { _ in }
        ) throws -> (form: MetadataForm, options: [String]) {
            let statement = MetadataStatement(
                .model(AttestationSample.model), description: "The samples' model",
                versions: MetadataStatement.versions(of: ["FIDO_2_1"]), algorithms: [.es256],
                attestation: [.packedBasic], userVerification: [[.init(.presence)]], attachment: [.internal],
                rootCertificates: [authority.rootCertificate])
            var form = MetadataForm()
            form.nextUpdate = "2099-01-01"
            form.entries = [try MetadataForm.entry(statement, statuses: statuses)]
            edit(&form)
            let pem = PEMDocument(type: "CERTIFICATE", derBytes: try form.rootCertificate()).pemString
            return (
                form,
                [
                    "--metadata", try write(form.encoded(), to: "blob.jwt"),
                    "--metadata-root", try write(Array(pem.utf8), to: "metadata-root.pem"),
                ]
            )
        }

        @Test func metadataAcceptsItsModelsAndRefusesRevokedOnes() async throws {
            let file = try capture(.packedBasic)
            try await expect(file, try metadata().options, 0, "trusted, and proves the model")
            try await expect(try capture(.packed), try metadata().options, 1, "metadata.attestationType")
            let revoked = [#"{"status":"REVOKED","effectiveDate":"2021-01-01"}"#]
            let options = try metadata(statuses: revoked).options
            try await expect(file, options, 1, "the metadata reports REVOKED for “The samples' model” since 2021-01-01")
            try await expect(file, options + ["--at", "2024-01-01"], 1, "REVOKED")
            let outdated = try metadata { $0.nextUpdate = "2025-07-01" }.options
            try await expect(file, outdated, 0, "flag r17")
            try await expect(file, outdated, 0, "the next was due by 2025-07-01")
            try await expect(file, outdated + ["--at", "2025-06-30"], 0, "ok   r17")
            try await expect(try capture(.none), outdated, 0, "the next was due by 2025-07-01")
        }

        @Test func metadataThatCannotBeTrustedIsAnErrorInOneSentence() async throws {
            let file = try capture(.packedBasic)
            let expired = try metadata { $0.signerNotAfter = Date(timeIntervalSince1970: 1_740_000_000) }.options
            try await expect(
                file, expired, 2,
                "blob.jwt: the metadata BLOB is not trusted: the certificate of Metadata signer expired on 2025-02-19")
            try await expect(file, expired + ["--at", "2025-01-01"], 0)
            let own = try metadata().options
            let stranger = try write(
                Array(PEMDocument(type: "CERTIFICATE", derBytes: try MetadataForm().rootCertificate()).pemString.utf8),
                to: "stranger.pem")
            try await expect(file, Array(own.prefix(3)) + [stranger], 2, "leads to none of the given roots")
            try await expect(file, own + ["--metadata-after", "6"], 0)
            try await expect(file, own + ["--metadata-after", "7"], 2, "has number 7, not more than 7")
            try await expect(file, ["--metadata", file], 2, "--metadata needs --metadata-root")
        }

        @Test func theListsOfMetadatasIssuersRevokeTheSigner() async throws {
            let file = try capture(.packedBasic)
            let (form, options) = try metadata()
            var list = RevocationForm(issuer: form.rootName(), key: form.rootKey)
            list.nextUpdate = (2049, 1)
            for (numbers, status, words) in [
                ([], 0, "accepted"), ([0x42], 2, "the certificate of Metadata signer is revoked"),
            ] as [([Int], Int32, String)] {
                list.serialNumbers = numbers
                let path = try write(list.encoded(), to: "list.crl")
                try await expect(file, options + ["--metadata-revocations", path], status, words)
            }
            let text = try write([1, 2], to: "list.crl")
            try await expect(
                file, options + ["--metadata-revocations", text], 2, "is not a certificate revocation list in DER")
        }

        @Test func offeredAlgorithmsRefuseOthers() async throws {
            let file = try capture(.none)
            try await expect(file, ["--algorithm", "ES256", "--algorithm", "RS1"], 0)
            for name in ["RS1", "ML-DSA-44", "ML-DSA-65", "ESP256"] {
                try await expect(file, ["--algorithm", name], 1, "ES256 was not offered")
            }
            try await expect(file, ["--algorithm", "ES257"], 2, "RS1")
        }

        /// A TPM may certify a key for RS1, which registers where it was offered.
        @Test func aKeyForRS1IsAcceptedWhereRS1WasOffered() async throws {
            let sample = try AttestationSample(
                .tpm, algorithm: .rs256, statedAlgorithm: .rs1, authority: authority)
            let file = try write(JSONValue.object(Self.document(sample)).bytes(), to: "rs1.json")
            try await expect(file, ["--algorithm", "RS1"], 0, "RS1 is not supported at sign-in")
            try await expect(file, ["--algorithm", "-65535", "--trust", "touchstone"], 0, "trusted")
            try await expect(file, ["--algorithm", "RS256"], 1, "RS1 was not offered")
        }

        @Test func bytesThatALogCutOffAreNamed() async throws {
            let file = try write(
                Array(#"{"response": {"id": "<Buffer 49 96 0d e5 ... 42 more bytes>"}}"#.utf8), to: "cut.json")
            try await expect(file, [], 2, "`response.id` is not whole, because the log cut bytes off")
        }

        @Test func aMistakeInJSONIsNamedWithItsPlace() async throws {
            let file = try write(Array("{\"response\": {},\n \"origin\": 'a'}".utf8), to: "mistake.json")
            try await expect(
                file, [], 2, "the input is not JSON; line 2, column 12, in `origin`: texts stand in double")
        }

        @Test func datesInJSONAreISO8601() async throws {
            let output = try await touchstone.run(
                "verify", try capture(.packedBasic), "--json", "--at", "2026-01-31", "--trust", "touchstone")
            let report = try JSONValue(parsing: Array(output.standardOutput.utf8))
            #expect(report["judgedAt"] == "2026-01-31T00:00:00Z")
            #expect(report["certificates"]?.array?.first?["notBefore"] == "2020-01-01T00:00:00Z")
            #expect(report["certificates"]?.array?.first?["notAfter"] == "2060-01-01T00:00:00Z")
        }

        @Test func severalFilesAFolderAndLinesGiveALineEachAndTheWorstStatus() async throws {
            let sample = try AttestationSample(.none, authority: authority)
            let good = try Self.document(sample)
            var (bad, lone) = (good, good)
            bad["origin"] = "https://example.com"
            bad["rpId"] = "example.org"
            lone["challenge"] = nil
            let lines = try [good, bad, lone].map { String(decoding: try JSONValue.object($0).bytes(), as: UTF8.self) }
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "all"), withIntermediateDirectories: true)
            let names = ["all/1.json", "all/2.json", "all/3.json"]
            for (name, line) in zip(names, lines) { try write(Array(line.utf8), to: name) }
            try write(Array("not a response".utf8), to: "all/readme.txt")
            let paths = names.map(folder.path)

            let accepted = try await touchstone.run("verify", paths[0], paths[0])
            #expect(accepted.status == 0)
            #expect(accepted.standardOutput == "\(paths[0]): accepted\n\(paths[0]): accepted")
            #expect(accepted.standardError == "2 responses accepted")
            let refused = try await touchstone.run("verify", paths[0], paths[1])
            #expect(refused.status == 1)
            #expect(refused.standardOutput.contains("\(paths[1]): refused at r5 (origin.unexpected"))
            let all = try await touchstone.run("verify", folder.path("all"))
            #expect(all.status == 2)
            #expect(all.standardOutput.split(separator: "\n").count == 3)
            #expect(all.standardOutput.contains("\(paths[2]): not verified: the challenge is missing; add --challenge"))
            #expect(all.standardError == "touchstone: of 3 responses: 1 refused, 1 not verified")

            let stream = try write(
                Array((Array(lines.prefix(2)) + ["", "{"]).joined(separator: "\n").utf8), to: "stream.jsonl")
            let fromFile = try await touchstone.run("verify", "--lines", stream, "--json")
            #expect(fromFile.status == 2)
            let verdicts = try fromFile.standardOutput.split(separator: "\n").map {
                try JSONValue(parsing: Array($0.utf8))
            }
            #expect(verdicts.map { $0["result"] } == ["accepted", "refused", "unreadable"])
            #expect(verdicts.map { $0["input"]?.text } == ["\(stream):1", "\(stream):2", "\(stream):4"])
            #expect(verdicts.first?["report"]?["accepted"] == true)
            let piped = try await touchstone.run(shell: "'\(touchstone.executable.path)' verify --lines - <'\(stream)'")
            #expect(piped.status == 2)
            #expect(piped.standardOutput.hasPrefix("-:1: accepted\n-:2: refused at r5"), "\(piped.standardOutput)")

            try FileManager.default.createDirectory(
                at: folder.url.appending(path: "none"), withIntermediateDirectories: true)
            try await expect(folder.path("none"), [], 2, "no name in the folder ends in .json")
            try await expect(folder.path("missing.json"), [paths[0]], 2, "unreadable: the file does not exist")
        }
    }
}
