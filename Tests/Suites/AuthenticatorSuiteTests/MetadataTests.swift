import Attestation
import AuthenticatorSuite
import Conformance
import DeviceProfiles
import Documents
import Foundation
import ProfileFiles
import SimulatedDevice
import Testing

/// Devices against the metadata statements of their models.
struct MetadataTests {
    @Test(arguments: [
        "security-key-complete", "yubikey-5-nfc-5.7", "security-key-bio", "pixel-fingerprint", "titan-v2",
    ])
    func aDeviceFollowsItsOwnStatement(profile: String) async throws {
        let results = try await results(profile, try await Self.statement(profile))
        #expect(
            results.values.filter { [.failed, .warning, .notRun].contains($0.verdict) }.map(\.words).sorted() == [])
        #expect(results.values.count { $0.verdict == .passed } > 30)
    }

    @Test func withoutAStatementTheCasesAreNotRun() async throws {
        let results = try await Authenticator.results("security-key-complete", identifiers: ["metadata"])
        #expect(results.values.allSatisfy { $0.verdict == .notRun })
        #expect(Set(results.values.map(\.reason)) == ["no metadata statement was given"])
    }

    /// A change to one member, and the cases that find it.
    struct Row: Sendable, CustomTestStringConvertible {
        let member: String
        let value: JSONValue?
        let found: [String]

        init(_ member: String, _ value: JSONValue?, _ found: String...) {
            self.member = member
            self.value = value
            self.found = found
        }

        var testDescription: String { "\(member) = \(value.map { "\($0)" } ?? "missing")" }
    }

    static let rows = [
        Row("legalHeader", nil, "legalHeader"),
        Row("description", "", "description"),
        Row("schema", 2, "schema"),
        Row("protocolFamily", "u2f", "protocolFamily"),
        Row("aaguid", "00000000-0000-0000-0000-000000000000", "aaguid"),
        Row("aaid", "1234#5678", "aaid"),
        Row("alternativeDescriptions", ["German": "Schlüssel"], "alternativeDescriptions"),
        Row("icon", "data:image/png;base64,AAAA", "icon"),
        Row("tcDisplay", ["hologram"], "tcDisplay", "tcDisplayContentType"),
        Row("tcDisplayContentType", "image/png", "tcDisplayContentType"),
        Row("isKeyRestricted", "yes", "isKeyRestricted"),
        Row("isFreshUserVerificationRequired", 1, "isFreshUserVerificationRequired"),
        Row("authenticatorVersion", -1, "authenticatorVersion", "authenticatorVersion.firmware"),
        Row("authenticatorVersion", 7, "authenticatorVersion.firmware"),
        Row("upv", [["major": 1]], "upv", "upv.versions"),
        Row("upv", [["major": 1, "minor": 0]], "upv.versions"),
        Row(
            "authenticationAlgorithms", ["rot13"], "authenticationAlgorithms", "authenticationAlgorithms.credential",
            "authenticationAlgorithms.getInfo"),
        Row("authenticationAlgorithms", ["secp256r1_ecdsa_sha256_raw"], "authenticationAlgorithms.getInfo"),
        Row("publicKeyAlgAndEncodings", ["pem"], "publicKeyAlgAndEncodings", "publicKeyAlgAndEncodings.cose"),
        Row("publicKeyAlgAndEncodings", ["ecc_x962_raw"], "publicKeyAlgAndEncodings.cose"),
        Row("attestationTypes", ["notary"], "attestationTypes", "attestationTypes.statement"),
        Row("attestationTypes", ["basic_full"], "attestationTypes.statement"),
        Row("attestationRootCertificates", ["AAAA"], "attestationRootCertificates"),
        Row("attestationRootCertificates", [], "attestationRootCertificates.needed"),
        Row(
            "userVerificationDetails", [[["userVerificationMethod": "gesture"]]], "userVerificationDetails",
            "userVerificationDetails.modality", "userVerificationDetails.pin", "userVerificationDetails.presence",
            "userVerificationDetails.uv"),
        Row("userVerificationDetails", verification(without: "passcode_external"), "userVerificationDetails.pin"),
        Row("userVerificationDetails", verification(without: "presence_internal"), "userVerificationDetails.presence"),
        Row(
            "userVerificationDetails", verification(without: "fingerprint_internal"),
            "userVerificationDetails.modality",
            "userVerificationDetails.uv"),
        Row("userVerificationDetails", verification(minLength: 12), "userVerificationDetails.code"),
        Row("userVerificationDetails", verification(retries: 3), "userVerificationDetails.retries"),
        Row("keyProtection", ["software", "hardware"], "keyProtection"),
        Row("matcherProtection", ["paper"], "matcherProtection"),
        Row("cryptoStrength", 0, "cryptoStrength"),
        Row("attachmentHint", ["internal", "wired", "nfc"], "attachmentHint.plat"),
        Row("attachmentHint", ["external", "internal", "wired", "nfc"], "attachmentHint"),
        Row("attachmentHint", ["external", "wired"], "attachmentHint.transports"),
        Row("supportedExtensions", [["id": "appid"]], "supportedExtensions"),
    ]

    @Test(arguments: rows)
    func aWrongMemberTurnsItsCasesRed(row: Row) async throws {
        var statement = try await Self.statement("security-key-complete")
        statement[row.member] = row.value
        #expect(try await found(statement) == row.found.map { "metadata.\($0)" }.sorted())
    }

    @Test(arguments: [
        "versions", "extensions", "aaguid", "options", "maxMsgSize", "pinUvAuthProtocols", "transports", "algorithms",
        "firmwareVersion", "maxCredBlobLength", "maxSerializedLargeBlobArray", "attestationFormats",
    ])
    func aWrongMemberOfGetInfoTurnsItsCaseRed(member: String) async throws {
        var statement = try await Self.statement("security-key-complete")
        var info = try #require(statement["authenticatorGetInfo"]?.object)
        info[member] = info[member]?.array.map { .array(Array($0.dropLast())) } ?? .null
        statement["authenticatorGetInfo"] = .object(info)
        #expect(try await found(statement) == ["metadata.authenticatorGetInfo.\(member)"])
    }

    @Test func aPathWithoutItsRootIsFound() async throws {
        var statement = try await Self.statement("yubikey-5-nfc-5.7")
        let other = try await Self.statement("security-key-complete")
        statement["attestationRootCertificates"] = .array([])
        #expect(
            try await found(statement, "yubikey-5-nfc-5.7") == [
                "metadata.attestationRootCertificates.chain", "metadata.attestationRootCertificates.needed",
            ])
        statement["attestationRootCertificates"] = other["attestationRootCertificates"]
        #expect(try await found(statement, "yubikey-5-nfc-5.7") == [])
    }

    @Test func anUnknownMemberOfGetInfoIsFound() async throws {
        var statement = try await Self.statement("security-key-complete")
        var info = try #require(statement["authenticatorGetInfo"]?.object)
        info["colour"] = "red"
        info["minPINLength"] = 60
        statement["authenticatorGetInfo"] = .object(info)
        #expect(
            try await found(statement) == [
                "metadata.authenticatorGetInfo", "metadata.authenticatorGetInfo.minPINLength",
            ])
    }

    // MARK: Runs

    private static func statement(_ profile: String) async throws -> [String: JSONValue] {
        let json = try await Authenticator.profiles.profile(profile).metadataStatement().json
        return try JSONDecoder().decode([String: JSONValue].self, from: Data(json.utf8))
    }

    private func results(_ profile: String, _ statement: [String: JSONValue]) async throws -> [String: CaseResult] {
        var settings = AuthenticatorBench.Settings()
        settings.metadata = try StatedMetadata(
            Array(try JSONValue.object(statement).indented().utf8), file: "statement.json")
        let bench = try await AuthenticatorBench.open(
            try Authenticator.profiles.profile(profile), settings: settings)
        let results = try await Authenticator.results(on: bench, identifiers: ["metadata"])
        await bench.close()
        return results
    }

    /// The cases that do not pass.
    private func found(
        _ statement: [String: JSONValue], _ profile: String = "security-key-complete"
    ) async throws -> [String] {
        try await results(profile, statement).values
            .filter { $0.verdict == .failed || $0.verdict == .warning }.map(\.id).sorted()
    }

    /// The methods of `security-key-complete`, with one change.
    private static func verification(
        without missing: String? = nil, minLength: Int = 4, retries: Int = 8
    ) -> JSONValue {
        let methods: [(String, [String: JSONValue])] = [
            ("fingerprint_internal", [:]),
            (
                "passcode_external",
                ["caDesc": ["base": 64, "minLength": .integer(minLength), "maxRetries": .integer(retries)]]
            ),
            ("presence_internal", [:]),
        ]
        return .array(
            methods.filter { $0.0 != missing }.map { name, accuracy in
                let descriptor = accuracy.merging(["userVerificationMethod": .text(name)]) { _, new in new }
                return .array([.object(descriptor)])
            })
    }
}
