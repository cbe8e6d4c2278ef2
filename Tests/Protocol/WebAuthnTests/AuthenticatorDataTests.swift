import CBOR
import COSE
import TestSupport
import Testing
import WebAuthn

struct AuthenticatorDataTests {
    /// Authenticator data with everything in it, and where each part ends.
    private static let full = AuthenticatorData(
        relyingPartyIDHash: Vectors.relyingPartyIDHash, flags: [.userPresent, .userVerified], signCount: 0x0102_0304,
        attestedCredentialData: AttestedCredentialData(
            aaguid: .zero, credentialID: Array(0..<20),
            credentialPublicKey: [1: 2, 3: -7, -1: 1, -2: .bytes([1, 2, 3]), -3: .bytes([])]),
        extensions: ["credProtect": 2, "hmac-secret": true])

    @Test func theVectorsParseIntoTheirParts() throws {
        let registration = try AuthenticatorData(parsing: Vectors.registrationData)
        #expect(registration.relyingPartyIDHash == Vectors.relyingPartyIDHash)
        #expect(registration.flags == [.userPresent, .backupEligible, .backupState, .attestedCredentialData])
        #expect(registration.flags.abbreviations == "UP BE BS AT")
        #expect(registration.signCount == 0)
        let attested = try #require(registration.attestedCredentialData)
        #expect(attested.aaguid.description == Vectors.aaguid)
        #expect(attested.credentialID == Vectors.credentialID)
        #expect(try COSE.PublicKey(cbor: attested.credentialPublicKey).encoded == Vectors.publicKey)
        #expect(registration.extensions == nil)
        #expect(registration.encoded == Vectors.registrationData)

        let assertion = try AuthenticatorData(parsing: Vectors.assertionData)
        #expect(assertion.flags.abbreviations == "UP BE BS")
        #expect(assertion.attestedCredentialData == nil)
        #expect(assertion.encoded == Vectors.assertionData)
    }

    @Test func theFlagsFollowFromTheParts() {
        let attested = Self.full.attestedCredentialData
        let parts: [(AttestedCredentialData?, CBOR.Map?, AuthenticatorDataFlags)] = [
            (nil, nil, [.userPresent]), (attested, nil, [.userPresent, .attestedCredentialData]),
            (nil, [:], [.userPresent, .extensionData]),
            (attested, ["a": 1], [.userPresent, .attestedCredentialData, .extensionData]),
        ]
        for (attested, extensions, flags) in parts {
            for given in [[.userPresent], [.userPresent, .attestedCredentialData, .extensionData]]
                as [AuthenticatorDataFlags]
            {
                let data = AuthenticatorData(
                    relyingPartyIDHash: Vectors.relyingPartyIDHash, flags: given, signCount: 1,
                    attestedCredentialData: attested, extensions: extensions)
                #expect(data.flags == flags)
            }
        }
    }

    @Test func theBytesStandWhereTheSpecificationPutsThem() {
        let bytes = Self.full.encoded
        #expect(Array(bytes[..<32]) == Vectors.relyingPartyIDHash)
        #expect(bytes[32] == 0xC5)
        #expect(Array(bytes[33..<37]) == [1, 2, 3, 4])
        #expect(Array(bytes[37..<53]) == [UInt8](repeating: 0, count: 16))
        #expect(Array(bytes[53..<55]) == [0, 20])
        #expect(Array(bytes[55..<75]) == Array(0..<20))
        #expect(
            Array(bytes[75...]).hex == "a501020326200121430102032240"
                + "a26b6372656450726f74656374026b686d61632d736563726574f5")
    }

    @Test(arguments: [0, 1, 255, 256, 1023, 1024, 65_535])
    func aCredentialIDOfAnyLengthRoundTrips(length: Int) throws {
        var data = Self.full
        data.attestedCredentialData?.credentialID = [UInt8](repeating: 9, count: length)
        #expect(try AuthenticatorData(parsing: data.encoded) == data)
    }

    @Test(arguments: [UInt32.min, 1, 0x8000_0000, .max])
    func aCounterOfAnySizeRoundTrips(count: UInt32) throws {
        var data = Self.full
        data.signCount = count
        #expect(try AuthenticatorData(parsing: data.encoded).signCount == count)
    }

    @Test func everyFlagsByteOfBareDataIsKeptOrItsMissingPartNamed() throws {
        for raw in UInt8.min ... .max {
            let bytes = Vectors.relyingPartyIDHash + [raw, 0, 0, 0, 7]
            switch raw & 0xC0 {
            case 0:
                let data = try AuthenticatorData(parsing: bytes)
                #expect(data.flags.rawValue == raw)
                #expect(data.encoded == bytes)
            case 0x80:
                let error = CBOR.DecodingError(rule: .truncated, offset: 37)
                #expect(throws: AuthenticatorData.ParsingError.invalidCBOR("the extension outputs", error)) {
                    try AuthenticatorData(parsing: bytes)
                }
            default:
                #expect(throws: AuthenticatorData.ParsingError.truncated("the attested credential data")) {
                    try AuthenticatorData(parsing: bytes)
                }
            }
        }
    }

    @Test func everyTruncationNamesThePartItCuts() throws {
        let bytes = Self.full.encoded
        let keyEnd = 75 + 14
        #expect(try AuthenticatorData(parsing: bytes) == Self.full)
        for length in bytes.indices {
            let error = #expect(throws: AuthenticatorData.ParsingError.self) {
                try AuthenticatorData(parsing: Array(bytes[..<length]))
            }
            switch (length, error) {
            case (..<37, .truncated("its 37-byte head")): break
            case (37..<55, .truncated("the attested credential data")): break
            case (55..<75, .truncated("the credential ID")): break
            case (75..<keyEnd, .invalidCBOR("the public key", let cause)): #expect(cause.rule == .truncated)
            case (keyEnd..., .invalidCBOR("the extension outputs", let cause)): #expect(cause.rule == .truncated)
            default: Issue.record("cut after \(length) bytes: \(String(describing: error))")
            }
        }
    }

    @Test(arguments: [1, 2, 37, 1000])
    func surplusBytesAreCounted(count: Int) {
        for bytes in [Vectors.assertionData, Vectors.registrationData, Self.full.encoded] {
            #expect(throws: AuthenticatorData.ParsingError.surplusBytes(count)) {
                try AuthenticatorData(parsing: bytes + [UInt8](repeating: 0, count: count))
            }
        }
    }

    @Test func partsTheFlagsDoNotAnnounceAreSurplus() {
        var bytes = Vectors.registrationData
        bytes[32] = 0x01
        #expect(throws: AuthenticatorData.ParsingError.surplusBytes(bytes.count - 37)) {
            try AuthenticatorData(parsing: bytes)
        }
        bytes = Self.full.encoded
        bytes[32] = 0x41
        #expect(throws: AuthenticatorData.ParsingError.surplusBytes(bytes.count - 89)) {
            try AuthenticatorData(parsing: bytes)
        }
    }

    @Test func extensionsWithoutTheirFlagDoNotHideBehindTheKey() {
        let bytes = Vectors.relyingPartyIDHash + [UInt8](hex: "c1 00000000") + [UInt8](repeating: 0, count: 18)
        #expect(throws: AuthenticatorData.ParsingError.extensionsNotAMap) {
            try AuthenticatorData(parsing: bytes + [0xA0, 0x80])
        }
        #expect(throws: AuthenticatorData.ParsingError.extensionsNotAMap) {
            try AuthenticatorData(parsing: bytes + [0xA0, 0xF6])
        }
    }

    static let nonCanonical: [(hex: String, part: String, rule: CBOR.Rule, offset: Int)] = [
        ("41 00000000" + zeros(18) + "a1 1801 00", "the public key", .nonMinimalInteger, 56),
        ("41 00000000" + zeros(18) + "a2 03 00 01 00", "the public key", .unsortedKeys, 58),
        ("41 00000000" + zeros(18) + "bf ff", "the public key", .indefiniteLength, 55),
        ("81 00000000 a2 6161 00 6161 00", "the extension outputs", .duplicateKey, 41),
        ("81 00000000 a1 61ff 00", "the extension outputs", .invalidUTF8, 38),
        ("c1 00000000" + zeros(18) + "a0 a1 6161 c1 00", "the extension outputs", .tagNotAllowed, 59),
    ]

    private static func zeros(_ count: Int) -> String { String(repeating: "00", count: count) }

    @Test(arguments: nonCanonical)
    func aPartThatIsNotCanonicalIsNamedWithItsOffset(hex: String, part: String, rule: CBOR.Rule, offset: Int) {
        let cause = CBOR.DecodingError(rule: rule, offset: offset)
        let error = #expect(throws: AuthenticatorData.ParsingError.self) {
            try AuthenticatorData(parsing: Vectors.relyingPartyIDHash + [UInt8](hex: hex))
        }
        #expect(error == .invalidCBOR(part, cause))
        #expect(error?.description == "\(part) in authenticator data: \(cause)")
    }

    @Test func parsedBytesEncodeToTheSameBytes() {
        var generator = SeededGenerator(seed: 37)
        let originals = [Vectors.assertionData, Vectors.registrationData, Self.full.encoded]
        var failures: [String] = []
        var accepted = 0
        for round in 0..<Ring.rounds(20_000) {
            var bytes = originals[round % 3]
            let index = Int.random(in: bytes.indices, using: &generator)
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            guard let data = try? AuthenticatorData(parsing: bytes) else { continue }
            accepted += 1
            if data.encoded != bytes { failures.append(bytes.hex) }
        }
        #expect(failures == [])
        #expect(accepted > Ring.rounds(5_000))
    }

    @Test func everyFlagHasItsAbbreviation() {
        #expect(AuthenticatorDataFlags(rawValue: 0xFF).abbreviations == "UP UV BE BS AT ED")
        #expect(AuthenticatorDataFlags(rawValue: 0x22).abbreviations == "")
    }
}
