import CTAP
import Decoding
import Testing
import WebAuthn

@Suite("What is wrong with bytes, and what cannot be decoded")
struct ProblemTests {
    private static let hash = KindTests.hash

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let problem: String
        let clause: String

        init(_ text: String, _ problem: String, _ clause: String) {
            (self.text, self.problem, self.clause) = (text, problem, clause)
        }

        var testDescription: String { problem }
    }

    private static let es256 = "a263616c6726 64747970656a7075626c69632d6b6579"

    /// A GetAssertion request with this number of members.
    private static func assertion(_ count: Int, _ more: String) -> String {
        "02a\(count)016b6578616d706c652e636f6d025820\(hash)\(more)"
    }

    /// A MakeCredential request with this number of members.
    private static func registration(_ count: Int, _ more: String = "", parameters: String = "81" + es256) -> String {
        "01a\(count)015820\(hash) 02a16269646b6578616d706c652e636f6d 03a16269644101 04\(parameters)\(more)"
    }

    /// A getPinToken request with a key of the platform.
    private static func token(_ key: String) -> String { "06a401010205 03\(key) 0650\(hash.prefix(32))" }

    private static let rows: [Row] = [
        // Canonical CBOR (CTAP 2.3 §8).
        Row("00a1031808", "not in its shortest form, at byte 2", "CTAP 2.3 §8"),
        Row("06a20202 0101", "map keys are not in canonical order", "CTAP 2.3 §8"),
        Row("00bf0308ff", "indefinite length", "CTAP 2.3 §8"),
        Row("00a203080308", "a map key occurs twice", "CTAP 2.3 §8"),
        Row("06a2010102", "ends inside an item", "CTAP 2.3 §8"),
        Row("06a20101020200", "bytes follow the item", "CTAP 2.3 §8"),
        // Members of messages.
        Row("02a1016b6578616d706c652e636f6d", "clientDataHash (0x02) is missing", "CTAP 2.3 §6.2"),
        Row("02a2016b6578616d706c652e636f6d02411a", "clientDataHash has 1 bytes, not 32", "CTAP 2.3 §6.2"),
        Row(
            "02a3016b6578616d706c652e636f6d025820" + hash + "1820f5", "no specification names the member 0x20",
            "CTAP 2.3 §6.2"),
        Row("06a20101026131", "subCommand (0x02) is a text string, not an unsigned integer", "CTAP 2.3 §6.5"),
        Row("06a2010102187f", "no specification names the subcommand 127", "CTAP 2.3 §6.5"),
        Row("06a201010205", "keyAgreement is missing; getPinToken needs it", "CTAP 2.3 §6.5.5"),
        Row("04a0", "the command has no parameters", "CTAP 2.3 §6.4"),
        Row("2ea10308", "members follow a status other than OK", "CTAP 2.3 §8.2"),
        Row(
            "02a3016b6578616d706c652e636f6d025820" + hash + "0650" + hash.prefix(32),
            "pinUvAuthParam comes without pinUvAuthProtocol", "CTAP 2.3 §6.2.2 step 2"),
        Row(
            "02a3016b6578616d706c652e636f6d025820" + hash + "05a162726bf5", "options.rk belongs to MakeCredential only",
            "CTAP 2.3 §6.2.2 step 4"),
        Row("0aa10109", "no specification names the subcommand 9", "CTAP 2.3 §6.8"),
        Row("0da10109", "no specification names the subcommand 9", "CTAP 2.3 §6.11"),
        Row("09a201010209", "no specification names the subcommand 9", "CTAP 2.3 §6.7"),
        Row(assertion(3, "0380"), "allowList is empty", "CTAP 2.3 §6.2.1"),
        Row(
            assertion(4, "0650" + hash.prefix(32) + "0703"), "pinUvAuthProtocol is 3, and no specification names it",
            "CTAP 2.3 §6.2"),
        Row(
            assertion(4, "0650" + hash.prefix(32) + "0702"), "pinUvAuthParam has 16 bytes; protocol 2 makes 32",
            "CTAP 2.3 §6.5.7"),
        Row(
            registration(4, parameters: "82" + es256 + es256), "pubKeyCredParams has an entry twice", "CTAP 2.3 §6.1.1"),
        Row(
            registration(5, "06a16b6372656450726f7465637404"), "credProtect is 4, not 1, 2 or 3", "CTAP 2.3 §12.1"),
        Row(registration(5, "0a03"), "enterpriseAttestation is 3, not 1 or 2", "CTAP 2.3 §6.1.2 step 9"),
        Row("00a1030a", "pinRetries is 10; a PIN has at most 8", "CTAP 2.3 §6.5.2"),
        Row(
            token(KindTests.agreementKey.replacing("a5010203381820", with: "a4010220")),
            "the key of the key agreement: alg (3) is missing", "CTAP 2.3 §6.5.6"),
        Row(token(KindTests.key), "alg (3) is not ECDH-ES+HKDF-256 (-25)", "CTAP 2.3 §6.5.6"),
        Row(
            token(KindTests.agreementKey.replacing("c296", with: "c297")), "the point is not on P-256",
            "CTAP 2.3 §6.5.6"),
        Row(KindTests.agreementKey.replacing("c296", with: "c297"), "the point is not on P-256", "CTAP 2.3 §6.5.6"),
        Row("00a101" + KindTests.key, "alg (3) is not ECDH-ES+HKDF-256 (-25)", "CTAP 2.3 §6.5.6"),
        Row("0ca10300", "either get (0x01) or set (0x02)", "CTAP 2.3 §6.10"),
        // Authenticator data.
        Row("\(hash) 10 00000009", "BS is set without BE", "WebAuthn L3 §6.1.3"),
        Row(
            "\(hash) 05 00000009 \(KindTests.aaguid) 0004 01020304 \(KindTests.key)", "with AT set they fit",
            "WebAuthn L3 §6.1"),
        Row(
            "\(hash) 45 00000009 \(KindTests.aaguid) 0004 01020304 \(KindTests.key) 00", "1 byte follows",
            "WebAuthn L3 §6.1"),
        Row(
            "\(hash) 45 00000007 \(KindTests.aaguid) 0000 \(KindTests.key)", "the credential ID has no bytes",
            "WebAuthn L3 §6.5.1"),
        Row("\(hash) 03 00000009", "bit 1 of the flags is reserved", "WebAuthn L3 §6.1"),
        Row(
            "\(hash) 65 00000009 \(KindTests.aaguid) 0004 01020304 \(KindTests.key)", "bit 5 of the flags is reserved",
            "WebAuthn L3 §6.1"),
        // Attestation objects.
        Row(
            "a363666d74667061636b65646761747453746d74 a263616c67390100 637369674101 68617574684461746158 88"
                + KindTests.registrationData, "attStmt.alg is RS256, and the credential's key is one for ES256",
            "WebAuthn L3 §8.2"),
        Row(
            "a363666d74667061636b65646761747453746d74 a363616c67390100 637369674101 6378356381"
                + KindTests.certificate + "68617574684461746158 88" + KindTests.registrationData,
            "attStmt.alg is RS256, and the certificate's key is EC P-256", "WebAuthn L3 §8.2"),
        Row("a263666d74646e6f6e656761747453746d74a0", "authData is missing", "WebAuthn L3 §6.5.4"),
        Row(
            "a363666d74667061636b65646761747453746d74a06861757468446174615825\(hash) 01 00000000",
            "attStmt.sig is missing", "WebAuthn L3 §8.2"),
        Row(
            "a363666d74646e6f6e656761747453746d74a06861757468446174615825\(hash) 01 00000000", "AT is not set",
            "WebAuthn L3 §6.5.1"),
        // Keys.
        Row(
            "a40102032620012158206b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
            "lacks parameter -3", "WebAuthn L3 §6.5.1.1"),
        // getInfo.
        Row(
            "00a2018168 4649444f5f325f31 03 4101", "aaguid (0x03) is a byte string, not a byte string of 16 bytes",
            "CTAP 2.3 §6.4"),
        Row(
            "00a3018168 4649444f5f325f30 0350\(KindTests.aaguid) 0518ff", "maxMsgSize is at least 1024. Found: 255",
            "CTAP 2.3 §6.4"),
        // Transports.
        Row(
            ConversationTests.libfido2.replacing(
                "0000: da ee d2 b3 6a ed be fc\n", with: "0000: da ee d2 b3 6a ed be fd\n"),
            "the nonce is of no INIT before it", "CTAP 2.3 §11.2.9.1.3"),
        Row(
            "ffffffff86000401020304" + String(repeating: "00", count: 53), "INIT has 4 bytes, not 8",
            "CTAP 2.3 §11.2.9.1.3"),
        Row("ffffffff90000104", "the broadcast channel takes INIT only", "CTAP 2.3 §11.2.3"),
        Row("0102030484000114", "a lock lasts 0 to 10 seconds, not 20", "CTAP 2.3 §11.2.9.2.2"),
        Row("000000008600080102030405060708", "channel 0 is reserved", "CTAP 2.3 §11.2.3"),
        Row(ConversationTests.report("000000008600080102030405060708"), "channel 0 is reserved", "CTAP 2.3 §11.2.3"),
        Row(
            "01020304900100" + String(repeating: "00", count: 57), "lacks its report with sequence number 0",
            "CTAP 2.3 §11.2.4"),
        // Client data.
        Row(
            #"{"type":"webauthn.get","challenge":"AAAA","origin":"https://example.com"}"#, "challenge has 3 bytes",
            "WebAuthn L3 §13.4.3"),
        Row(
            #"{"type":"webauthn.get","challenge":"AAA+AAAAAAAAAAAAAAAAAA==","origin":"https://example.com"}"#,
            "not base64url", "WebAuthn L3 §5.8.1"),
        Row(
            #"{"type":"public-key","id":"AQ==","response":{"clientDataJSON":"e30","signature":"MAYCAQECAQI"}}"#,
            "not base64url without padding", "WebAuthn L3 §5.1"),
    ]

    @Test(arguments: rows)
    func aProblemIsNamedWithItsClause(row: Row) throws {
        let decoded = try KindTests.decode(row.text)
        let problems = decoded.parts.flatMap(\.problems)
        #expect(
            problems.contains { $0.text.contains(row.problem) && $0.clause == row.clause },
            "\(decoded.kind): \(problems.map { "\($0.text) (\($0.clause ?? "-"))" })")
    }

    @Test(arguments: [CTAPCommand.makeCredential, .getAssertion, .getNextAssertion, .getInfo])
    func aSuccessWithoutMembersIsAProblem(command: CTAPCommand) throws {
        let problems = try KindTests.decode("00", to: command).parts.flatMap(\.problems)
        #expect(problems.map(\.text) == ["the response has no members"])
        #expect(try KindTests.decode("00", to: .reset).parts.flatMap(\.problems) == [])
        #expect(try KindTests.decode("2e", to: command).parts.flatMap(\.problems) == [])
    }

    @Test(arguments: [
        "00a10308", "06a201010202", "04", "2e", KindTests.key, KindTests.agreementKey,
        "00a101" + KindTests.agreementKey, KindTests.assertionData, KindTests.registrationData,
    ])
    func correctBytesHaveNoProblem(text: String) throws {
        #expect(try KindTests.decode(text).parts.flatMap(\.problems) == [])
    }

    struct Undecodable: Sendable, CustomTestStringConvertible {
        let text: String
        let kind: DecodedKind?
        let words: String

        init(_ text: String, as kind: DecodedKind? = nil, _ words: String) {
            (self.text, self.kind, self.words) = (text, kind, words)
        }

        var testDescription: String { words }
    }

    private static let trace =
        #"{"at":1795867089.954,"device":"traced","kind":"device","schema":1,"secrets":false,"title":"A key"}"#

    @Test(arguments: [
        Undecodable("", "the input is empty"), Undecodable("  \n", "the input has no bytes"),
        Undecodable("a1030", "5 hexadecimal digits, an odd number"),
        Undecodable(
            "a363666d74646e6f6e656761747453746d74g0686175", "“g” in line 1, column 37 is not a hexadecimal digit"),
        Undecodable("hello, world!", "the input is words"), Undecodable("oQMI*", "“*” in line 1, column 5"),
        Undecodable("ab+c-d_e", "the other alphabet"), Undecodable("{\"a\": 1}", "no member of a credential"),
        Undecodable("00a10308", as: .certificate, "is not an X.509 certificate (RFC 5280); it can be read as response"),
        Undecodable("04", as: .coseKey, "is not a COSE key (RFC 9052 §7); it can be read as request, response"),
        Undecodable(String(repeating: "5a", count: 32), "such bytes may be a hash"),
        Undecodable("-----BEGIN CERTIFICATE-----\nAAAA", "is not PEM"),
        Undecodable("[0, 161, 3, 256]", "element 3 of the array is 256, and a byte is 0 to 255"),
        Undecodable(trace + "\n" + trace, "show it with `touchstone trace show`"),
    ])
    func badInputHasAClearError(row: Undecodable) throws {
        let error = try #require(throws: UndecodableInput.self) { try KindTests.decode(row.text, as: row.kind) }
        #expect(error.description.contains(row.words), "\(error)")
    }

    /// Each prefix of a message is decoded, or refused with a reason; none crashes.
    @Test func everyPrefixIsDecodedOrRefused() throws {
        let bytes = [UInt8](try #require(Hex.decode(("00" + KindTests.info).filter { $0 != " " })))
        for length in 1...bytes.count { Self.decodeOrRefuse(Array(bytes.prefix(length))) }
    }

    private static func decodeOrRefuse(_ bytes: [UInt8]) {
        do {
            let decoded = try DecodedInput(bytes)
            #expect(!decoded.parts.isEmpty)
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    /// Changed texts and bytes of every form: each is decoded or refused.
    @Test func changedInputsAreDecodedOrRefused() throws {
        var random = SeededNumbers(seed: 0x5EED)
        let texts = [
            ConversationTests.libfido2, ConversationTests.pcscd, ConversationTests.openSK, ConversationTests.testTool,
            ConversationTests.windows, ConversationTests.pythonHID, KindTests.registrationData,
            "{1: ['FIDO_2_0'], 3: h'\(KindTests.aaguid)'}", "Info(versions=['FIDO_2_0'], max_msg_size=1200)",
            "unsigned char a[] = {\n 0x00, 0xa1, // x\n 0x03 };\nunsigned int a_len = 3;",
            "data = (b'\\x00\\xa1' b'\\x03')", "0000000 a100 0803\n*\n0000100\n",
            #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, "a1 # map(1)\n 03 # x\n 08",
        ]
        for text in texts {
            for _ in 0..<60 {
                var characters = Array(text)
                for _ in 0...random.below(4) where !characters.isEmpty {
                    let place = random.below(characters.count)
                    switch random.below(4) {
                    case 0: characters.remove(at: place)
                    case 1: characters.insert(Array("0a[{('\"\\:,=\n*-")[random.below(14)], at: place)
                    case 2: characters.removeSubrange(place..<min(characters.count, place + random.below(40)))
                    default: characters.swapAt(place, random.below(characters.count))
                    }
                }
                Self.decodeOrRefuse(Array(String(characters).utf8))
            }
        }
        let messages = [
            "00" + KindTests.info, KindTests.registrationData, "05046b17d1f2" + String(repeating: "00", count: 90),
            "0100000009300602010102010200", "0000001a736b2d7373682d65643235353139406f70656e7373682e636f6d00000020",
            "8076be8b528d0075f7aae98d6fa57a6d3c", "00a4040008a0000006472f000100",
            ConversationTests.report("0102030490000606a201010201"), "3006020101020102",
        ]
        for message in messages {
            let whole = [UInt8](try #require(Hex.decode(message.filter { $0 != " " })))
            for _ in 0..<150 {
                var bytes = whole
                for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
                Self.decodeOrRefuse(Array(bytes.prefix(1 + random.below(bytes.count))))
            }
        }
    }
}

/// Numbers that are the same in each run.
private struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}
