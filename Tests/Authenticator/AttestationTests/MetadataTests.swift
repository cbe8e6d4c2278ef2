import Attestation
import CBOR
import COSE
import Foundation
import Testing
import WebAuthn

/// Metadata statements as JSON; python-fido2 reads them in the interop tests.
struct MetadataTests {
    private static let model = AAGUID("f1d0f1d0-0000-4000-8000-00000000a77e") ?? .zero

    private static func statement(_ subject: MetadataStatement.Subject = .model(model)) -> MetadataStatement {
        MetadataStatement(
            subject, description: "A key", versions: MetadataStatement.versions(of: ["FIDO_2_0", "FIDO_2_1"]),
            algorithms: [.es256, .edDSA, .es256], attestation: [.packedBasic, .packed],
            userVerification: [
                [.init(.externalPasscode, code: .init(base: 64, minLength: 4, maxRetries: 8, blockSlowdown: 0))],
                [.init(.fingerprint, biometric: .init(maxTemplates: 5)), .init(.presence)],
            ],
            attachment: [.external, .wired], rootCertificates: [[0xFB, 0xFF, 0xFE]],
            authenticatorGetInfo: .members(["versions": .list([.text("FIDO_2_1")])]))
    }

    private func members(_ statement: MetadataStatement) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(statement.json.utf8)) as? [String: Any])
    }

    /// The members that FIDO Metadata Statement 3.0 marks as required.
    private static let required: Set<String> = [
        "legalHeader", "description", "authenticatorVersion", "protocolFamily", "schema", "upv",
        "authenticationAlgorithms",
        "publicKeyAlgAndEncodings", "attestationTypes", "userVerificationDetails", "keyProtection",
        "matcherProtection", "attachmentHint", "tcDisplay", "attestationRootCertificates",
    ]

    @Test func aStatementHasEveryRequiredMember() throws {
        let names = Set(try members(Self.statement()).keys)
        #expect(Self.required.isSubset(of: names))
        #expect(
            names.subtracting(Self.required) == ["aaguid", "cryptoStrength", "authenticatorGetInfo"])
    }

    @Test func aMinimalStatementOmitsOnlyOptionalMembers() throws {
        var statement = Self.statement()
        statement.cryptoStrength = nil
        statement.authenticatorGetInfo = nil
        statement.rootCertificates = []
        let found = try members(statement)
        #expect(Set(found.keys) == Self.required.union(["aaguid"]))
        #expect((found["attestationRootCertificates"] as? [String]) == [])
    }

    @Test func valuesHaveTheirRegistryNames() throws {
        let found = try members(Self.statement())
        #expect(found["schema"] as? Int == 3)
        #expect(found["protocolFamily"] as? String == "fido2")
        #expect(found["aaguid"] as? String == "f1d0f1d0-0000-4000-8000-00000000a77e")
        #expect(found["publicKeyAlgAndEncodings"] as? [String] == ["cose"])
        #expect(
            found["authenticationAlgorithms"] as? [String]
                == ["secp256r1_ecdsa_sha256_raw", "ed25519_eddsa_sha512_raw"])
        #expect(found["attestationTypes"] as? [String] == ["basic_full", "basic_surrogate"])
        #expect(found["upv"] as? [[String: Int]] == [["major": 1, "minor": 0], ["major": 1, "minor": 1]])
        #expect(found["attachmentHint"] as? [String] == ["external", "wired"])
        #expect(found["keyProtection"] as? [String] == ["software"])
        #expect(found["matcherProtection"] as? [String] == ["software"])
        #expect(found["attestationRootCertificates"] as? [String] == ["+//+"])
        let methods = try #require(found["userVerificationDetails"] as? [[[String: Any]]])
        #expect(
            methods.map { $0.map { $0["userVerificationMethod"] as? String } }
                == [["passcode_external"], ["fingerprint_internal", "presence_internal"]])
        #expect(
            methods[0][0]["caDesc"] as? [String: Int] == [
                "base": 64, "minLength": 4, "maxRetries": 8, "blockSlowdown": 0,
            ])
        #expect(methods[1][0]["baDesc"] as? [String: Int] == ["maxTemplates": 5])
        #expect(methods[1][1].count == 1)
    }

    /// The invalid members.
    private static let spoilt: [(String, @Sendable (inout MetadataStatement) -> Void)] = [
        ("description", { $0.description = "" }),
        ("description", { $0.description = String(repeating: "x", count: 201) }),
        ("attestationCertificateKeyIdentifiers", { $0.subject = .certificates([]) }),
        ("upv", { $0.versions = [] }), ("authenticationAlgorithms", { $0.algorithms = [.mlDSA65] }),
        ("attestationTypes", { $0.attestation = [] }), ("userVerificationDetails", { $0.userVerification = [] }),
        ("userVerificationDetails", { $0.userVerification = [[]] }), ("keyProtection", { $0.keyProtection = [] }),
        ("matcherProtection", { $0.matcherProtection = [] }), ("attachmentHint", { $0.attachment = [] }),
    ]

    @Test(arguments: spoilt)
    func anEmptyRequiredMemberIsRefused(_ member: String, _ edit: @Sendable (inout MetadataStatement) -> Void) throws {
        var statement = Self.statement()
        edit(&statement)
        let error = #expect(throws: EncodingError.self) { try statement.json }
        guard case .invalidValue(_, let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == [member])
        #expect(context.debugDescription.hasPrefix("\(member) must"))
    }

    @Test func aKeyWithoutAModelIsIdentifiedByItsCertificates() throws {
        let found = try members(Self.statement(.certificates([[UInt8](repeating: 0xAB, count: 20)])))
        #expect(found["aaguid"] == nil)
        #expect(
            found["attestationCertificateKeyIdentifiers"] as? [String] == [String(repeating: "ab", count: 20)])
        #expect(found["protocolFamily"] as? String == "u2f")
        #expect(found["publicKeyAlgAndEncodings"] as? [String] == ["ecc_x962_raw"])
    }

    @Test func equalStatementsHaveEqualText() throws {
        let text = try Self.statement().json
        #expect(try text == Self.statement().json)
        let places = try ["aaguid", "attachmentHint", "description", "upv", "userVerificationDetails"].map { name in
            try #require(text.range(of: "\"\(name)\"")).lowerBound
        }
        #expect(places == places.sorted())
    }

    @Test(arguments: [
        (AttestationKind.none, "none"), (.packed, "basic_surrogate"), (.packedBasic, "basic_full"),
        (.fidoU2F, "basic_full"), (.tpm, "attca"), (.tpmRS1, "attca"), (.androidKey, "basic_full"), (.apple, "anonca"),
        (.compound, "basic_full"),
    ])
    func everyKindHasARegisteredType(_ kind: AttestationKind, _ type: String) throws {
        var statement = Self.statement()
        statement.attestation = [kind]
        #expect(try members(statement)["attestationTypes"] as? [String] == [type])
    }

    @Test func everyAlgorithmExceptMLDSAHasARegisteredName() throws {
        for algorithm in COSE.Algorithm.supported {
            var statement = Self.statement()
            statement.algorithms = [.es256, algorithm]
            let names = try members(statement)["authenticationAlgorithms"] as? [String]
            let isOneMore = ![.es256, .esp256, .mlDSA65, .mlDSA87].contains(algorithm)
            #expect(names?.count == (isOneMore ? 2 : 1), "\(algorithm)")
        }
    }

    @Test func versionsComeFromGetInfo() {
        let names = ["U2F_V2", "FIDO_2_3", "FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_", "FIDO_2_1"]
        #expect(MetadataStatement.versions(of: names).map(\.minor) == [0, 1, 3])
        #expect(MetadataStatement.versions(of: names).allSatisfy { $0.major == 1 })
    }

    @Test func getInfoMembersHaveTheirNames() throws {
        let answer: CBOR.Map = [
            0x01: ["FIDO_2_0", "FIDO_2_1"], 0x03: .bytes(Self.model.bytes), 0x04: ["rk": true, "uv": false],
            0x05: 1200, 0x0A: [["alg": -7, "type": "public-key"]], 0x13: ["FIDO": 2], 0x15: [.unsigned(.max), 5],
            0x19: .bytes([1, 2]), 0x1C: .bytes(Array("https://example.org/".utf8)), 0x1E: .bytes([3]), 0x7F: 1,
            "text": 2,
        ]
        let expected: MetadataValue = .members([
            "versions": .list([.text("FIDO_2_0"), .text("FIDO_2_1")]),
            "aaguid": .text("f1d0f1d00000400080000000" + "0000a77e"),
            "options": .members(["rk": .bool(true), "uv": .bool(false)]), "maxMsgSize": .number(1200),
            "algorithms": .list([.members(["alg": .number(-7), "type": .text("public-key")])]),
            "certifications": .members(["FIDO": .number(2)]), "vendorPrototypeConfigCommands": .list([.number(5)]),
            "pinComplexityPolicyURL": .text("https://example.org/"),
        ])
        #expect(MetadataValue.authenticatorGetInfo(answer) == expected)
        var statement = Self.statement()
        statement.authenticatorGetInfo = expected
        let info = try #require(try members(statement)["authenticatorGetInfo"] as? [String: Any])
        #expect(info["maxMsgSize"] as? Int == 1200)
        #expect(info["options"] as? [String: Bool] == ["rk": true, "uv": false])
    }
}
