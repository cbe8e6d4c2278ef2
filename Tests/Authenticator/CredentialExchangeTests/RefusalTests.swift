import COSE
import CredentialExchange
import Documents
import Testing
import WebAuthn

@Suite("Damaged documents of passkeys")
struct RefusalTests {
    private static let passkey = "accounts[0].items[0].credentials[0]"

    /// A change of a document, and words of the mistake.
    struct Damage: CustomTestStringConvertible, Sendable {
        let pointer: String
        let value: JSONValue?
        let words: String

        init(_ pointer: String, _ value: JSONValue?, _ words: String) {
            (self.pointer, self.value, self.words) = (pointer, value, words)
        }

        var testDescription: String { "\(pointer): \(words)" }
    }

    @Test(
        "A damaged passkey is named with its line, its path and a remedy; the others are read",
        arguments: [
            Damage("credentialId", nil, "credentialId is missing; export"),
            Damage("credentialId", 5, "credentialId: is a whole number, not text; write"),
            Damage("credentialId", "", "credentialId: has 0 bytes, not 1 to 1023; export"),
            Damage(
                "credentialId", .text(Base64URL.encode([UInt8](repeating: 0, count: 1024))),
                "has 1024 bytes, not 1 to 1023"),
            Damage("credentialId", "YWJjZA==", "credentialId: has padding, which base64url has none of here; remove"),
            Damage("credentialId", "ab+/", "credentialId: is base64, not base64url; write"),
            Damage("credentialId", "ab cd", "has white space in its base64url; remove"),
            Damage("credentialId", "abcé", "is not base64url; export"),
            Damage("credentialId", "abcde", "ends early: base64url never has 5 letters; export"),
            Damage("credentialId", "YR", "has stray bits in its last letter"),
            Damage("userHandle", "", "userHandle: has 0 bytes, not 1 to 64"),
            Damage(
                "userHandle", .text(Base64URL.encode([UInt8](repeating: 0, count: 65))), "has 65 bytes, not 1 to 64"),
            Damage("userHandle", .null, "userHandle: is null, not text"),
            Damage("username", nil, "username is missing"),
            Damage("username", ["value": "ada"], "username: is an object, not text"),
            Damage("userDisplayName", true, "userDisplayName: is a boolean, not text"),
            Damage("rpId", nil, "rpId is missing"),
            Damage("rpId", "", "rpId: is empty; write the domain alone"),
            Damage("rpId", "https://example.com", "rpId: is an address, not an RP ID"),
            Damage("rpId", "example.com:443", "is an address, not an RP ID"),
            Damage("rpId", "Example.com", "has capital letters"),
            Damage("rpId", "example", "is not a domain"),
            Damage("rpId", "exa mple.com", "is not a domain"),
            Damage("rpId", "example..com", "is not a domain"),
            Damage("rpId", "-a.example", "is not a domain"),
            Damage("rpId", "127.0.0.1", "is an IP address, not an RP ID"),
            Damage("fido2Extensions", "x", "fido2Extensions: is text, not an object"),
            Damage("fido2Extensions", ["payments": "yes"], "fido2Extensions.payments: is text, not a boolean"),
            Damage("fido2Extensions", ["credBlob": "="], "fido2Extensions.credBlob: has padding"),
            Damage("fido2Extensions", ["hmacCredentials": [:]], "hmacCredentials: algorithm is missing"),
            Damage(
                "fido2Extensions", ["hmacCredentials": ["algorithm": "hmac-sha256", "credWithUV": "AAAA"]],
                "hmacCredentials.credWithUV: has 3 bytes, not 32"),
            Damage(
                "fido2Extensions",
                [
                    "hmacCredentials": [
                        "algorithm": "hmac-sha256",
                        "credWithUV": .text(Base64URL.encode([UInt8](repeating: 0, count: 32))),
                    ]
                ], "hmacCredentials: credWithoutUV is missing"),
            Damage("fido2Extensions", ["largeBlob": ["data": ""]], "largeBlob: uncompressedSize is missing"),
            Damage(
                "fido2Extensions", ["largeBlob": ["uncompressedSize": -1, "data": ""]],
                "uncompressedSize: is -1, not a whole number from 0"),
            Damage(
                "fido2Extensions", ["largeBlob": ["uncompressedSize": 5, "data": "AAAA"]],
                "largeBlob.data: does not inflate to uncompressedSize, 5 bytes"),
        ])
    func damagedPasskey(_ damage: Damage) throws {
        let document = Sample.document([Sample.passkey(), Sample.passkey(2)])
        let reading = try ExchangeReading(
            parsing: Sample.text(document, changing: [("\(Sample.passkeyPlace)/\(damage.pointer)", damage.value)]),
            file: "vault.json")
        #expect(reading.document.passkeys.map(\.credentialID) == [[UInt8](repeating: 2, count: 16)])
        let mistakes = try #require(reading.damaged.first).mistake.each
        #expect(reading.damaged.count == 1 && mistakes.count == 1)
        let mistake = try #require(mistakes.first)
        #expect(mistake.file == "vault.json" && (mistake.line ?? 0) > 1)
        #expect(mistake.message.hasPrefix(Self.passkey) && mistake.message.contains(damage.words), "\(mistake)")
        #expect(mistake.message.contains(";"))
    }

    /// A damaged key, and words of the mistake.
    private static func keys() throws -> [(bytes: [UInt8], words: String)] {
        let pkcs8 = Sample.key.pkcs8Representation
        // id-ecPublicKey with the curve brainpoolP256r1 (RFC 5639 §4.1).
        var brainpool = pkcs8
        let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        let place = try #require(pkcs8.firstRange(of: p256))
        brainpool.replaceSubrange(place, with: [0x06, 0x08, 0x2B, 0x24, 0x03, 0x03, 0x02, 0x08, 0x01, 0x07])
        var zero = pkcs8
        let scalar = try #require(pkcs8.firstRange(of: Sample.key.rawRepresentation))
        zero.replaceSubrange(scalar, with: [UInt8](repeating: 0, count: 32))
        return [
            ([], "is empty; export the passkey with its private key"),
            (Sample.key.rawRepresentation, "is a bare number of 32 bytes"),
            (Sample.key.publicKey.subjectPublicKeyInfo, "is a public key; export"),
            (Array("-----BEGIN PRIVATE KEY-----\n".utf8), "is PEM, not DER"),
            (Array(pkcs8.dropLast()), "is not a private key in PKCS #8"),
            (pkcs8 + [0], "is not a private key in PKCS #8"),
            ([0x30, 0x00], "is not a private key in PKCS #8"),
            (brainpool, "is a key of a kind that passkeys do not have"),
            (zero, "holds no valid private key for its algorithm"),
        ]
    }

    @Test("A key that is not a private key in PKCS #8 is named")
    func damagedKeys() throws {
        for (bytes, words) in try Self.keys() {
            let reading = try Sample.reading(("\(Sample.passkeyPlace)/key", .text(Base64URL.encode(bytes))))
            let mistake = try #require(reading.damaged.first).mistake
            #expect(mistake.message.hasPrefix("\(Self.passkey).key: \(words)"), "\(mistake)")
        }
    }

    @Test("A credential ID that stands twice damages the second passkey, and names the first")
    func repeatedID() throws {
        let document = Sample.document([Sample.passkey(), Sample.passkey(2), Sample.passkey()])
        let reading = try ExchangeReading(parsing: Sample.text(document), file: "vault.json")
        #expect(reading.document.passkeys.count == 2)
        let mistake = try #require(reading.damaged.first).mistake
        #expect(mistake.message.contains("credentials[2].credentialId: is also the credential ID of \(Self.passkey)"))
        #expect(mistake.message.contains(" in line "))
    }

    @Test("A damaged passkey has all its mistakes, and the names that can be read")
    func allMistakes() throws {
        let reading = try Sample.reading(
            ("\(Sample.passkeyPlace)/key", "=="), ("\(Sample.passkeyPlace)/userHandle", nil),
            ("\(Sample.passkeyPlace)/rpId", "EXAMPLE"))
        let damaged = try #require(reading.damaged.first)
        #expect(damaged.mistake.each.count == 3)
        #expect(damaged.username == "ada" && damaged.relyingPartyID == "EXAMPLE")
    }

    @Test(
        "A document whose parts around the passkeys are damaged is refused with each line",
        arguments: [
            Damage("/version", nil, "the document is an"),
            Damage("/version", 1, "version: is a whole number, as in drafts"),
            Damage("/version/major", 2, "version: is 2.0, and only 1.x is known; export"),
            Damage("/version/major", 0, "version: is 0.0, and only 1.x is known"),
            Damage("/version/major", 256, "version.major: is 256, not a whole number from 0 to 255"),
            Damage("/version/minor", nil, "version: minor is missing"),
            Damage("/exporterRpId", nil, "exporterRpId is missing"),
            Damage("/exporterRpId", 1, "exporterRpId: is a whole"),
            Damage("/exporterDisplayName", .null, "exporterDisplayName: is null, not text"),
            Damage("/timestamp", nil, "timestamp is missing; write seconds"),
            Damage("/timestamp", "2026-01-01", "timestamp: is text, not a time"),
            Damage("/timestamp", -1, "timestamp: is -1, not a time"),
            Damage("/timestamp", .number(1.5), "timestamp: is a number with decimals, not a time"),
            Damage(
                "/timestamp", 1_770_000_000_000,
                "is 1770000000000, a time after the year 9999; write seconds, not milli"),
            Damage("/accounts", ["a": 1], "accounts: is an object, not an array; write []"),
            Damage("/accounts/0", 5, "accounts[0]: is a whole number, not an object"),
            Damage("/accounts/0/id", "A=", "accounts[0].id: has padding"),
            Damage(
                "/accounts/0/id", .text(Base64URL.encode([UInt8](repeating: 0, count: 65))), "has 65 bytes, not 1 to 64"
            ),
            Damage("/accounts/0/username", nil, "accounts[0]: username is missing; write \"\""),
            Damage("/accounts/0/email", 1, "accounts[0].email: is a whole number"),
            Damage("/accounts/0/collections", nil, "accounts[0]: collections is missing; write []"),
            Damage("/accounts/0/items", nil, "accounts[0]: items is missing; write []"),
            Damage("/accounts/0/items/0/id", "", "items[0].id: has 0 bytes"),
            Damage("/accounts/0/items/0/title", nil, "items[0]: title is missing"),
            Damage("/accounts/0/items/0/creationAt", "x", "items[0].creationAt: is text, not a time"),
            Damage("/accounts/0/items/0/modifiedAt", .null, "items[0].modifiedAt: is null, not a time"),
            Damage("/accounts/0/items/0/subtitle", 1, "items[0].subtitle: is a whole number"),
            Damage("/accounts/0/items/0/scope", [], "items[0].scope: is an array, not an object"),
            Damage("/accounts/0/items/0/scope/urls", nil, "items[0].scope: urls is missing"),
            Damage("/accounts/0/items/0/credentials", nil, "items[0]: credentials is missing"),
            Damage("/accounts/0/items/0/credentials/0/type", nil, "credentials[0]: type is missing"),
            Damage("/accounts/0/items/0/credentials/0", "x", "credentials[0]: is text, not an object"),
        ])
    func damagedDocument(_ damage: Damage) throws {
        // Another member alone does not make a document of the format.
        let words =
            damage.pointer == "/version" && damage.value == nil ? "version is missing; give a document" : damage.words
        let text = try Sample.text(changing: [(damage.pointer, damage.value)])
        let error = try #require(throws: SourceError.self) {
            _ = try ExchangeReading(parsing: text, file: "vault.json")
        }
        #expect(error.each.count == 1)
        #expect(error.file == "vault.json" && error.line != nil)
        #expect(error.message.contains(words), "\(error)")
        #expect(error.message.contains(";"))
    }

    @Test("All mistakes of a document are reported at once, in its order of reading")
    func allMistakesOfADocument() throws {
        let text = try Sample.text(changing: [("/timestamp", -1), ("/accounts/0/id", "="), ("/accounts/0/email", 5)])
        let error = try #require(throws: SourceError.self) {
            _ = try ExchangeReading(parsing: text, file: "vault.json")
        }
        #expect(
            error.each.map { $0.message.prefix { $0 != ":" } } == ["timestamp", "accounts[0].id", "accounts[0].email"])
    }

    @Test(
        "Text that is not a document of the format is refused, and known exports are named",
        arguments: [
            ("", "not JSON: the text is empty"), ("[]", "the document is an array; give"),
            ("{", "not JSON: the object that begins in line 1"), ("{\"version\": 1,}", "not JSON"),
            ("{\"version\": {}, \"version\": {}}", "not JSON: version is given twice; keep one"),
            ("{\"encrypted\": false, \"items\": []}", "Bitwarden's own form"),
            ("{\"relyingParty\": \"a\", \"privateKey\": \"b\"}", "KeePassXC's own form"),
            ("{\"items\": [], \"collections\": []}", "one account without its header"),
            ("{\"passkeys\": []}", "version is missing"),
        ])
    func otherText(_ text: String, _ words: String) throws {
        let error = try #require(throws: SourceError.self) {
            _ = try ExchangeReading(parsing: Array(text.utf8), file: "vault.json")
        }
        #expect(error.message.contains(words), "\(error)")
    }

    @Test("Bytes other than UTF-8 and too many bytes are refused")
    func otherBytes() throws {
        for (bytes, words) in [
            ([0x22, 0xFF, 0x22], "not JSON in UTF-8"),
            ([UInt8](repeating: 0x20, count: (8 << 20) + 1), "has more than 8388608 bytes"),
        ] as [([UInt8], String)] {
            let error = try #require(throws: SourceError.self) {
                _ = try ExchangeReading(parsing: bytes, file: "vault.json")
            }
            #expect(error.message.contains(words), "\(error)")
        }
    }

    @Test("Many damaged passkeys are all named, and the first fifty places are looked up")
    func manyMistakes() throws {
        let passkeys = (0..<200).map { _ in Sample.passkey() }
        let reading = try ExchangeReading(parsing: Sample.text(Sample.document(passkeys)), file: "vault.json")
        #expect(reading.damaged.count == 199)
        #expect(reading.damaged.first?.mistake.line != nil)
        #expect(reading.damaged.last?.mistake.line == nil)
        #expect(reading.damaged.last?.mistake.message.contains("credentials[199]") == true)
    }
}
