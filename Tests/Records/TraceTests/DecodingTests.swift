import CBOR
import COSE
import CTAP
import TestSupport
import Testing
import Trace
import WebAuthn

@Suite("Decoding of messages")
struct DecodingTests {
    /// The members of every command by the tables of CTAP 2.3 §6.
    struct Members: CustomTestStringConvertible, Sendable {
        let command: UInt8
        let name: String
        let request: [Int: String]
        let answer: [Int: String]

        var testDescription: String { name }
    }

    static let assertion = [
        1: "credential", 2: "authData", 3: "signature", 4: "user", 5: "numberOfCredentials", 6: "userSelected",
        7: "largeBlobKey", 8: "unsignedExtensionOutputs",
    ]
    static let bio = (
        request: [
            1: "modality", 2: "subCommand", 3: "subCommandParams", 4: "pinUvAuthProtocol", 5: "pinUvAuthParam",
            6: "getModality",
        ],
        answer: [
            1: "modality", 2: "fingerprintKind", 3: "maxCaptureSamplesRequiredForEnroll", 4: "templateId",
            5: "lastEnrollSampleStatus", 6: "remainingSamples", 7: "templateInfos", 8: "maxTemplateFriendlyName",
        ]
    )
    static let credentials = (
        request: [1: "subCommand", 2: "subCommandParams", 3: "pinUvAuthProtocol", 4: "pinUvAuthParam"],
        answer: [
            1: "existingResidentCredentialsCount", 2: "maxPossibleRemainingResidentCredentialsCount", 3: "rp",
            4: "rpIDHash", 5: "totalRPs", 6: "user", 7: "credentialID", 8: "publicKey", 9: "totalCredentials",
            10: "credProtect", 11: "largeBlobKey", 12: "thirdPartyPayment",
        ]
    )
    static let commands = [
        Members(
            command: 1, name: "MakeCredential",
            request: [
                1: "clientDataHash", 2: "rp", 3: "user", 4: "pubKeyCredParams", 5: "excludeList", 6: "extensions",
                7: "options", 8: "pinUvAuthParam", 9: "pinUvAuthProtocol", 10: "enterpriseAttestation",
                11: "attestationFormatsPreference",
            ],
            answer: [
                1: "fmt", 2: "authData", 3: "attStmt", 4: "epAtt", 5: "largeBlobKey", 6: "unsignedExtensionOutputs",
            ]),
        Members(
            command: 2, name: "GetAssertion",
            request: [
                1: "rpId", 2: "clientDataHash", 3: "allowList", 4: "extensions", 5: "options", 6: "pinUvAuthParam",
                7: "pinUvAuthProtocol",
            ],
            answer: assertion),
        Members(
            command: 4, name: "GetInfo", request: [:],
            answer: [
                0x01: "versions", 0x02: "extensions", 0x03: "aaguid", 0x04: "options", 0x05: "maxMsgSize",
                0x06: "pinUvAuthProtocols", 0x07: "maxCredentialCountInList", 0x08: "maxCredentialIdLength",
                0x09: "transports", 0x0A: "algorithms", 0x0B: "maxSerializedLargeBlobArray", 0x0C: "forcePINChange",
                0x0D: "minPINLength", 0x0E: "firmwareVersion", 0x0F: "maxCredBlobLength",
                0x10: "maxRPIDsForSetMinPINLength", 0x11: "preferredPlatformUvAttempts", 0x12: "uvModality",
                0x13: "certifications", 0x14: "remainingDiscoverableCredentials",
                0x15: "vendorPrototypeConfigCommands", 0x16: "attestationFormats", 0x17: "uvCountSinceLastPinEntry",
                0x18: "longTouchForReset", 0x19: "encIdentifier", 0x1A: "transportsForReset",
                0x1B: "pinComplexityPolicy", 0x1C: "pinComplexityPolicyURL", 0x1D: "maxPINLength",
                0x1E: "encCredStoreState", 0x1F: "authenticatorConfigCommands",
            ]),
        Members(
            command: 6, name: "ClientPIN",
            request: [
                1: "pinUvAuthProtocol", 2: "subCommand", 3: "keyAgreement", 4: "pinUvAuthParam", 5: "newPinEnc",
                6: "pinHashEnc", 9: "permissions", 10: "rpId",
            ],
            answer: [1: "keyAgreement", 2: "pinUvAuthToken", 3: "pinRetries", 4: "powerCycleState", 5: "uvRetries"]),
        Members(command: 7, name: "Reset", request: [:], answer: [:]),
        Members(command: 8, name: "GetNextAssertion", request: [:], answer: assertion),
        Members(command: 9, name: "BioEnrollment", request: bio.request, answer: bio.answer),
        Members(
            command: 0x0A, name: "CredentialManagement", request: credentials.request, answer: credentials.answer),
        Members(command: 0x0B, name: "Selection", request: [:], answer: [:]),
        Members(
            command: 0x0C, name: "LargeBlobs",
            request: [1: "get", 2: "set", 3: "offset", 4: "length", 5: "pinUvAuthParam", 6: "pinUvAuthProtocol"],
            answer: [1: "config"]),
        Members(
            command: 0x0D, name: "Config",
            request: [1: "subCommand", 2: "subCommandParams", 3: "pinUvAuthProtocol", 4: "pinUvAuthParam"], answer: [:]),
        Members(command: 0x40, name: "BioEnrollment (preview)", request: bio.request, answer: bio.answer),
        Members(
            command: 0x41, name: "CredentialManagement (preview)", request: credentials.request,
            answer: credentials.answer),
    ]

    @Test(arguments: commands)
    func everyMemberHasItsNameAndUnknownOnesTheirNumber(members: Members) async throws {
        let content = [0] + CBOR.encode(.map(CBOR.Map(uniqueKeysWithValues: (0...0x20).map { ($0, 0) })))
        let asked = try await request([members.command] + content.dropFirst())
        #expect(asked.command == members.name)
        let answered = try await response(content, to: members.command)
        for (fields, names) in [(asked.message.fields, members.request), (answered.message.fields, members.answer)] {
            #expect(fields.compactMap(\.key) == (0...0x20).map(String.init))
            let found = fields.compactMap { field in
                field.name.flatMap { name in field.key.flatMap { Int($0) }.map { ($0, name) } }
            }
            #expect(Dictionary(uniqueKeysWithValues: found) == names)
        }
    }

    @Test(
        arguments: [
            (0x06, 2, 1, "getPINRetries"), (0x06, 2, 2, "getKeyAgreement"), (0x06, 2, 3, "setPIN"),
            (0x06, 2, 4, "changePIN"), (0x06, 2, 5, "getPinToken"),
            (0x06, 2, 6, "getPinUvAuthTokenUsingUvWithPermissions"), (0x06, 2, 7, "getUVRetries"),
            (0x06, 2, 8, "subcommand 8"), (0x06, 2, 9, "getPinUvAuthTokenUsingPinWithPermissions"),
            (0x09, 2, 1, "enrollBegin"), (0x09, 2, 2, "enrollCaptureNextSample"),
            (0x09, 2, 3, "cancelCurrentEnrollment"),
            (0x09, 2, 4, "enumerateEnrollments"), (0x09, 2, 5, "setFriendlyName"), (0x09, 2, 6, "removeEnrollment"),
            (0x40, 2, 7, "getFingerprintSensorInfo"), (0x0A, 1, 1, "getCredsMetadata"),
            (0x0A, 1, 2, "enumerateRPsBegin"),
            (0x0A, 1, 3, "enumerateRPsGetNextRP"), (0x0A, 1, 4, "enumerateCredentialsBegin"),
            (0x0A, 1, 5, "enumerateCredentialsGetNextCredential"), (0x41, 1, 6, "deleteCredential"),
            (0x41, 1, 7, "updateUserInformation"), (0x0D, 1, 1, "enableEnterpriseAttestation"),
            (0x0D, 1, 2, "toggleAlwaysUv"), (0x0D, 1, 3, "setMinPINLength"), (0x0D, 1, 4, "enableLongTouchForReset"),
            (0x0D, 1, 255, "vendorPrototype"),
        ] as [(UInt8, Int, Int, String)])
    func everySubcommandHasItsName(command: UInt8, key: Int, number: Int, name: String) async throws {
        let told = try await request([command] + CBOR.encode([.integer(key): .integer(number)]))
        #expect(told.subcommand == name)
    }

    /// The words for one value of an answer or request.
    private func meaning(_ value: CBOR.Value, at key: Int, of command: UInt8) async throws -> String? {
        try await response([0] + CBOR.encode([.integer(key): value]), to: command).message.fields.first?.meaning
    }

    @Test func numbersHaveMeanings() async throws {
        #expect(try await meaning(0x0D, at: 0x12, of: 4) == "presence, internal passcode, voice")
        #expect(try await meaning(0x2000, at: 0x12, of: 4) == "bit 13")
        #expect(try await meaning(.bytes(AAGUID.zero.bytes), at: 3, of: 4) == AAGUID.zero.description)
        #expect(try await meaning(.bytes(Array("https://x.example".utf8)), at: 0x1C, of: 4) == "https://x.example")
        #expect(try await meaning(0x0A, at: 5, of: 9) == "merge failure")
        #expect(try await meaning(2, at: 2, of: 9) == "swipe")
        let token = try await request([6] + CBOR.encode([9: 0x43]))
        #expect(token.message.fields.first?.meaning == "mc, ga, pcmr")
        let parameters = try await request([1] + CBOR.encode([4: [["alg": -257, "type": "public-key"]]]))
        #expect(parameters.message.fields.first?.first("alg")?.meaning == "RS256")
    }

    @Test func aSubcommandDeterminesItsParameters() async throws {
        let minimum = try await request([0x0D] + CBOR.encode([1: 3, 2: [1: 6, 2: ["example.com"], 3: true, 4: true]]))
        #expect(
            minimum.message.fields.last?.items.map(\.name)
                == ["newMinPINLength", "minPinLengthRPIDs", "forceChangePin", "pinComplexityPolicy"])
        let vendor = try await request([0x0D] + CBOR.encode([1: 255, 2: [1: 6]]))
        #expect(vendor.message.fields.last?.items.map(\.name) == ["vendorCommandId"])
    }

    @Test func authenticatorDataIsDecoded() async throws {
        let key = try COSE.PrivateKey.generate(.edDSA, randomBytes: { [UInt8](repeating: 3, count: $0) })
        let data = AuthenticatorData(
            relyingPartyIDHash: [UInt8](repeating: 1, count: 32), flags: [.userPresent, .backupEligible],
            signCount: 258,
            attestedCredentialData: AttestedCredentialData(
                aaguid: .zero, credentialID: [7, 8, 9], credentialPublicKey: key.publicKey.cbor),
            extensions: ["credProtect": 2])
        let answer: CBOR.Value = [1: "packed", 2: .bytes(data.encoded), 3: ["alg": -8, "sig": .bytes([1, 2])]]
        let told = try await response([0] + CBOR.encode(answer), to: 1)
        let parts = try #require(told.message.fields.first { $0.name == "authData" }).items
        #expect(
            parts.map(\.name)
                == [
                    "rpIdHash", "flags", "signCount", "aaguid", "credentialId", "credentialPublicKey", "extensions",
                ])
        #expect(
            parts[1].meaning
                == "user present (UP), backup eligible (BE), attested credential data (AT), extension outputs (ED)")
        #expect(parts[2].value == "258")
        #expect(parts[4].value == "070809")
        #expect(parts[5].first("alg")?.meaning == "EdDSA")
        #expect(parts[5].first("crv")?.meaning == "Ed25519")
        #expect(parts[6].first("credProtect")?.meaning == "userVerificationOptionalWithCredentialIDList")
        #expect(told.message.fields.first { $0.name == "attStmt" }?.first("sig")?.value == "0102")
        #expect(told.message.raw?.count == told.message.length)
    }

    @Test func brokenAuthenticatorDataIsDecodedAsFarAsPossible() async throws {
        let head = [UInt8](repeating: 1, count: 32)
        for (bytes, names, problem) in [
            (head, ["undecoded"], "at least 37 bytes"),
            (head + [0x41, 0, 0, 0, 1, 9], ["rpIdHash", "flags", "signCount", "undecoded"], "ends early"),
            (head + [0x01, 0, 0, 0, 1, 9], ["rpIdHash", "flags", "signCount", "undecoded"], "bytes follow"),
            (head + [0x81, 0, 0, 0, 1, 0xBF], ["rpIdHash", "flags", "signCount", "undecoded"], "indefinite length"),
        ] as [([UInt8], [String], String)] {
            let told = try await response([0] + CBOR.encode([2: .bytes(bytes)]), to: 2)
            let parts = told.message.fields.first?.items ?? []
            #expect(parts.map(\.name) == names)
            #expect(parts.last?.problem?.contains(problem) == true)
        }
    }

    @Test func messagesThatAreOnlyNotCanonicalAreDecodedWithAProblem() async throws {
        let told = try await request([6, 0xA2, 0x02, 0x01, 0x01, 0x18, 0x02])
        #expect(told.message.problem?.contains("at byte 3") == true)
        #expect(told.message.fields.map(\.name) == ["subCommand", "pinUvAuthProtocol"])
        #expect(told.subcommand == "getPINRetries")
        #expect(told.message.raw != nil)
    }

    @Test func emptyMessagesAreReported() async throws {
        let asked = try await request([])
        #expect(asked.code == nil)
        #expect(asked.message.problem == "the message is empty")
        let answered = try await response([], to: 4)
        #expect(answered.status == nil)
        #expect(Conversation().text(try await exchange([], [])).contains("an empty answer"))
    }
}

extension CBOR.Map {
    fileprivate init(uniqueKeysWithValues pairs: [(Int, Int)]) {
        self.init(uncheckedEntries: pairs.map { (.integer($0), .integer($1)) })
    }
}
