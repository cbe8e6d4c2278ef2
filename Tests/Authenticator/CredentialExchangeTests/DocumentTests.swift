import COSE
import CTAP
import CredentialExchange
import Documents
import Testing

@Suite("Documents of passkeys")
struct DocumentTests {
    @Test("A document is read as it was written")
    func roundTrip() throws {
        var passkey = Sample.passkey()
        passkey.extensions = ExchangeExtensions(
            hmacCredentials: .init(
                withUV: [UInt8](repeating: 1, count: 32), withoutUV: [UInt8](repeating: 2, count: 32)),
            credBlob: [1, 2, 3], largeBlob: LargeBlobExtensionValue(compressing: Array("a long blob".utf8)),
            payments: true)
        let reading = try ExchangeReading(
            parsing: Sample.text(Sample.document([passkey, Sample.passkey(2)])), file: "vault.json")
        #expect(reading.damaged.isEmpty && reading.others.isEmpty && reading.ignored.isEmpty)
        let document = reading.document
        #expect(document.version == .current)
        #expect(document.exporterRelyingPartyID == "passwords.example")
        #expect(document.exporterDisplayName == "Example Passwords")
        #expect(document.timestamp == 1_770_000_000)
        let account = try #require(document.accounts.first)
        #expect(account.id == [1] && account.username.isEmpty && account.email == "ada@example.com")
        let item = try #require(account.items.first)
        #expect(item.id == [2] && item.title == "Example" && item.subtitle == "work")
        #expect(item.creationAt == 1_760_000_000 && item.modifiedAt == 1_760_000_001)
        #expect(item.scopeURLs == ["https://example.com"])
        #expect(document.passkeys.map(\.names) == [passkey.names, Sample.passkey(2).names])
        #expect(document.passkeys.map(\.extensions) == [passkey.extensions, ExchangeExtensions()])
        #expect(try Sample.text(document) == Sample.text(Sample.document([passkey, Sample.passkey(2)])))
    }

    @Test("A byte order mark before a document is ignored (RFC 8259 §8.1), and a second one is a mistake")
    func byteOrderMark() throws {
        let text = try Sample.text(Sample.document([Sample.passkey()]))
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try ExchangeReading(parsing: mark + text, file: "vault.json").document.passkeys.count == 1)
        #expect(throws: SourceError.self) { try ExchangeReading(parsing: mark + mark + text, file: "vault.json") }
    }

    @Test("Required arrays stand when they are empty, and optional members only with a content (§2.1.2)")
    func arrays() throws {
        let account = ExchangeAccount(
            id: [1], items: [ExchangeItem(id: [2], title: "", passkeys: [Sample.passkey()])])
        let document = ExchangeDocument(
            exporterRelyingPartyID: "a.example", exporterDisplayName: "A", timestamp: 0, accounts: [account])
        let json = document.json
        #expect(json.value(at: "/accounts/0/collections") == [])
        #expect(json.value(at: "/accounts/0/email") == "")
        let item = try #require(json.value(at: "/accounts/0/items/0")?.object)
        #expect(Set(item.keys) == ["id", "title", "credentials"])
        #expect(json.value(at: "\(Sample.passkeyPlace)/fido2Extensions") == nil)
        #expect(json.value(at: "\(Sample.passkeyPlace)/type") == "passkey")
    }

    @Test(
        "Keys of every algorithm travel in PKCS #8",
        arguments: [
            COSE.Algorithm.es256, .es384, .es512, .es256K, .edDSA, .ed448, .rs256, .mlDSA65, .mlDSA87,
        ])
    func algorithms(_ algorithm: COSE.Algorithm) throws {
        let key = try Sample.key(algorithm)
        let reading = try ExchangeReading(
            parsing: Sample.text(Sample.document([Sample.passkey(key: key)])), file: "vault.json")
        let read = try #require(reading.document.passkeys.first).privateKey
        #expect(read.algorithm == algorithm)
        #expect(read.publicKey == key.publicKey)
    }

    @Test("A later minor version is read, and its new members are ignored (§3.1.1)")
    func minorVersion() throws {
        let reading = try Sample.reading(
            ("/version/minor", 7), ("/newMember", ["a": 1]), ("/accounts/0/extensions", [["name": "shared"]]),
            ("/accounts/0/collections/0", ["id": "not base64url!"]), ("/accounts/0/items/0/favorite", true),
            ("/accounts/0/items/0/tags", ["a"]), ("\(Sample.passkeyPlace)/newMember", 5))
        #expect(reading.document.version == .init(major: 1, minor: 7))
        #expect(reading.document.passkeys.count == 1)
        #expect(reading.damaged.isEmpty && reading.ignored.isEmpty)
    }

    @Test("Credentials of other types are counted and not read, also unknown ones (§3.3)")
    func otherTypes() throws {
        let place = "/accounts/0/items/0/credentials"
        let reading = try Sample.reading(
            ("\(place)/1", ["type": "basic-auth", "username": ["fieldType": "string", "value": "ada"]]),
            ("\(place)/2", ["type": "totp", "secret": 5]), ("\(place)/3", ["type": "totp"]),
            ("\(place)/4", ["type": "from-the-future"]))
        #expect(reading.others == ["basic-auth": 1, "totp": 2, "from-the-future": 1])
        #expect(reading.document.passkeys.count == 1)
    }

    @Test("Secrets of an unknown algorithm are ignored and named (§3.1.1)")
    func unknownAlgorithm() throws {
        let place = "\(Sample.passkeyPlace)/fido2Extensions/hmacCredentials"
        let reading = try Sample.reading((place, ["algorithm": "hmac-sha512", "credWithUV": 5]))
        #expect(reading.document.passkeys.first?.extensions == ExchangeExtensions())
        #expect(
            reading.ignored == [
                "accounts[0].items[0].credentials[0].fido2Extensions.hmacCredentials, whose algorithm \"hmac-sha512\" is unknown"
            ])
    }

    @Test("The example's hmacSecret, which the errata corrects to hmacCredentials, is ignored and named")
    func errata() throws {
        let place = "\(Sample.passkeyPlace)/fido2Extensions/hmacSecret"
        let reading = try Sample.reading((place, ["algorithm": "hmac-sha256", "secret": "AAAA"]))
        #expect(reading.document.passkeys.first?.extensions.hmacCredentials == nil)
        #expect(reading.ignored.count == 1 && reading.ignored.first?.contains("drafts before 1.0") == true)
        #expect(reading.damaged.isEmpty)
    }
}
