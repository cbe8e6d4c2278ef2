import Decoding
import Foundation
import Testing
import WebAuthn

/// The texts and files that developers have at hand.
@Suite("The forms of an input")
struct InputTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let kind: DecodedKind
        let words: [String]

        init(_ text: String, _ kind: DecodedKind, _ words: String...) {
            (self.text, self.kind, self.words) = (text, kind, words)
        }

        var testDescription: String { "\(kind.rawValue): \(text.prefix(50))" }
    }

    private static let point =
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    private static func url(_ hex: some StringProtocol) -> String { Base64URL.encode(Hex.decode(String(hex)) ?? []) }

    static let hash = Hex.decode(KindTests.hash) ?? []
    static let registration = Hex.decode(KindTests.registrationData.filter { $0 != " " }) ?? []
    static let assertion = Hex.decode(KindTests.assertionData.filter { $0 != " " }) ?? []
    private static let sshAttestation =
        string(Array("ssh-sk-attest-v01".utf8)) + string([1, 2]) + string([0x30, 6, 2, 1, 1, 2, 1, 2])
        + string(wrapped(assertion)) + [0, 0, 0, 0] + string([])

    static func standard(_ bytes: some Sequence<UInt8>) -> String { Data(bytes).base64EncodedString() }

    /// A byte string of CBOR.
    static func wrapped(_ bytes: [UInt8]) -> [UInt8] { [0x58, UInt8(bytes.count)] + bytes }

    private static let spki = Data(
        Hex.decode("3059301306072a8648ce3d020106082a8648ce3d03010703420004" + point) ?? []
    ).base64EncodedString()

    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    private static let sshKey =
        string(Array("sk-ssh-ed25519@openssh.com".utf8)) + string([UInt8](repeating: 7, count: 32))
        + string(Array("ssh:".utf8))
    private static let sshSignature =
        string(Array("sk-ssh-ed25519@openssh.com".utf8)) + string([UInt8](repeating: 8, count: 64)) + [1, 0, 0, 0, 9]
    private static let signedFile =
        Array("SSHSIG".utf8) + [0, 0, 0, 1] + string(sshKey) + string(Array("file".utf8)) + string([])
        + string(Array("sha512".utf8)) + string(sshSignature)
    private static let key = KindTests.key.filter { $0 != " " }

    private static let rows: [Row] = [
        // Source code.
        Row("static const uint8_t rsp[] = { 0x00, 0xA1, 0x03, 0x08 };", .response, "pinRetries: 8"),
        Row(
            "unsigned char a[] = {\n  0x00, 0xa1, // status\n  0x03, 0x08\n};\nunsigned int a_len = 4;", .response,
            "pinRetries: 8"),
        Row("var rsp = []byte{0x00, 0xa1, 0x03, 0x08}", .response, "pinRetries: 8"),
        Row("let rsp: [u8; 4] = [0x00, 0xa1, 0x03, 0x08];", .response, "pinRetries: 8"),
        Row("const rsp = new Uint8Array([0, 161, 3, 8]);", .response, "pinRetries: 8"),
        Row("data = b'\\x00\\xa1\\x03\\x08'", .response, "pinRetries: 8"),
        Row("data = (\n    b\"\\x00\\xa1\"\n    b\"\\x03\\x08\"\n)", .response, "pinRetries: 8"),
        // Notations.
        Row("{1: [\"FIDO_2_0\"], 3: h'\(KindTests.aaguid)'}", .getInfo, "versions: [FIDO_2_0]"),
        Row(
            "{1: ['FIDO_2_0'], 3: b'\\x2f\\xc0W\\x9f\\x81\\x13G\\xea\\xb1\\x16\\xbbZ\\x8d\\xb9 *', 4: {'rk': True}}",
            .getInfo, "versions: [FIDO_2_0]"),
        Row(
            "Info(versions=['U2F_V2', 'FIDO_2_0'], extensions=['hmac-secret'], aaguid=AAGUID(\(KindTests.aaguid)), options={'rk': True, 'plat': False}, max_msg_size=1200, pin_uv_protocols=[1], max_creds_in_list=None)",
            .getInfo, "maxMsgSize: 1200", "pinUvAuthProtocols: [1]", "YubiKey 5"),
        Row("a1        # map(1)\n   03     # unsigned(3)\n   08     # unsigned(8)\n", .response, "pinRetries: 8"),
        Row("06a201020201 # ClientPIN", .request, "ClientPIN"),
        Row("06 # ClientPIN\na2 # map\n01 02\n02 01 # sub\n", .request, "ClientPIN"),
        Row("0000000 a100 0803\n0000004\n", .response, "pinRetries: 8"),
        Row("0000000 00 a1 03 08\n0000004\n", .response, "pinRetries: 8"),
        Row("\t0x0000:  00a1 0308                                ....", .response, "pinRetries: 8"),
        Row("\u{FEFF}00a10308", .response, "pinRetries: 8"),
        // Keys and signatures.
        Row("04" + point, .point, "point on P-256", "uncompressed"),
        Row("03" + point.prefix(64), .point, "compressed"),
        Row(
            #"{"kty":"EC","crv":"P-256","x":"\#(url(point.prefix(64)))","y":"\#(url(point.suffix(64)))"}"#, .jwk,
            "crv: P-256"),
        Row("sk-ssh-ed25519@openssh.com \(Data(sshKey).base64EncodedString()) me@host", .sshKey, "application: ssh:"),
        Row(Data(sshKey).base64EncodedString(), .sshKey, "public key: 0707"),
        Row(Hex.encode(sshSignature), .sshSignature, "counter: 9", "user present"),
        Row(
            "-----BEGIN SSH SIGNATURE-----\n\(Data(signedFile).base64EncodedString())\n-----END SSH SIGNATURE-----",
            .sshSignature, "namespace: file", "application: ssh:", "counter: 9"),
        Row(Hex.encode(sshAttestation), .sshAttestation, "ssh-sk-attest-v01", "signCount: 9", "r: 01"),
        // Programs of libfido2 and pam-u2f.
        Row(
            "\(standard(hash))\nexample.org\npacked\n\(standard(wrapped(registration)))\nAQIDBA==\nMAYCAQECAQI=\n",
            .credential, "rpId: example.org", "signCount: 7", "credentialId: 01020304", "s: 02"),
        Row(
            "\(standard(hash))\nexample.org\n\(standard(wrapped(assertion)))\nMAYCAQECAQI=\n", .credential,
            "signCount: 9", "s: 02"),
        Row(
            "\(standard(hash))\nexample.org\n\(standard(registration))\n\(standard(hash))\n", .credential,
            "credentialId",
            "hmacSalt"),
        Row("\(standard(hash))\nexample.org\nada\nAQIDBA==\n", .credential, "userName: ada", "userId: 01020304"),
        Row(
            "alice:AQIDBA==,\(standard(Hex.decode(point) ?? [])),es256,+presence:BQ==,\(standard(Hex.decode(point) ?? [])),es256,+presence+pin\n",
            .credential, "user: alice", "credentialId: 01020304", "option: +presence+pin"),
        // Values of CTAP and U2F.
        Row("010000000930060201010201 02", .u2f, "U2F_AUTHENTICATE", "counter: 9"),
        Row("8076be8b528d0075f7aae98d6fa57a6d3c", .largeBlobs, "of 0 entries"),
        Row(
            "a301\(key)025820\(KindTests.hash)0350\(KindTests.hash.prefix(32))", .hmacSecret, "keyAgreement", "saltEnc"),
        Row("00a10151" + "8076be8b528d0075f7aae98d6fa57a6d3c", .response, "response to LargeBlobs"),
        Row("2fc0579f-8113-47ea-b116-bb5a8db9202a", .aaguid, "YubiKey 5 NFC"),
        // A report before it is filled with zeros.
        Row("0000000290000104", .reports, "client → device, CBOR on channel 00000002, request: GetInfo"),
        // A lone response in reports.
        Row(ConversationTests.report("0102030490000400a10308"), .reports, "device → client", "pinRetries: 8"),
        // PEM in one line, in long lines, and as a setting has it.
        Row("-----BEGIN PUBLIC KEY-----\(spki)-----END PUBLIC KEY-----", .publicKey, "P-256"),
        Row(
            "-----BEGIN PUBLIC KEY-----\n\(spki.prefix(76))\n\(spki.dropFirst(76))\n-----END PUBLIC KEY-----",
            .publicKey,
            "P-256"),
        Row(
            "-----BEGIN PUBLIC KEY-----\\n\(spki.prefix(64))\\n\(spki.dropFirst(64))\\n-----END PUBLIC KEY-----\\n",
            .publicKey, "P-256"),
        Row("\"-----BEGIN PUBLIC KEY-----\\n\(spki)\\n-----END PUBLIC KEY-----\"", .publicKey, "P-256"),
        // JSON.
        Row(
            #"{"publicKey":{"challenge":"AAAAAAAAAAAAAAAAAAAAAA","rp":{"id":"example.com"}}}"#, .credential,
            "publicKey.challenge"),
    ]

    @Test(arguments: rows)
    func aFormIsRead(row: Row) throws {
        let decoded = try KindTests.decode(row.text)
        #expect(decoded.kind == row.kind)
        let described = KindTests.described(decoded)
        for words in row.words { #expect(described.contains(words), "\(described)") }
        #expect(!decoded.isDamaged)
    }

    @Test(arguments: [
        ("hello world", "the input is words"), ("password", "the input is words"),
        ("The user cannot sign in with this key.", "the input is words"), ("Hello", "the input is words"),
        (
            "const x = require('fs');\nfunction send(request) { return [1, 2, 3]; }\nconst key = [0x01, 0x02];\n",
            "source of a program"
        ),
        ("%PDF-1.7\n1 0 obj\n", "a PDF document"), ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhYmMifQ.AAAA", "JSON Web Token"),
        (#"{"id":"AQIDBA","response":{"clientDataJSON":"eyJ0"#, "begins like JSON and is not"),
        ("AuthenticatorData(rp_id_hash=h'5a', flags=0x41)", "give bytes(object).hex()"),
        ("uint8_t a[] = {0x00, 0x0g};", "“0x0g” in the array is not a byte"),
        (
            "unsigned char a[] = {0x00, 0xa1};\nunsigned int a_len = 4;",
            "the array has 2 bytes, and the variable of its length says 4"
        ),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----", "give its public key"),
        (String(repeating: "11", count: 64), "such bytes may be"),
    ])
    func anotherTextIsSaidToBeSo(text: String, words: String) throws {
        let error = try #require(throws: UndecodableInput.self) { try KindTests.decode(text) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test(
        arguments: [
            ([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], "a program (ELF)"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a picture (PNG)"),
            ([0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0], "a capture of packets (pcap)"),
            ([0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "a compressed file (gzip)"),
        ] as [([UInt8], String)])
    func aFileOfAnotherFormatIsSaidToBeSo(head: [UInt8], words: String) throws {
        let content = head + [UInt8](repeating: 0x41, count: 300)
        let error = try #require(throws: UndecodableInput.self) { try DecodedInput(content) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test func aFileOfPowerShellIsRead() throws {
        var content: [UInt8] = [0xFF, 0xFE]
        for letter in Array("00a10308\r\n".utf8) { content += [letter, 0] }
        #expect(try DecodedInput(content).kind == .response)
    }

    /// The AAGUID of a known key and the one of a profile, in each structure that has one.
    @Test func anAAGUIDHasTheNameOfItsModel() throws {
        let name = "YubiKey 5 NFC and 5C NFC, firmware 5.2 and 5.4, known key yubikey-5-nfc-5.4"
        let passkeys = "1Password on an iPhone, profile 1password"
        let other = "bada5566a7aa401fbd9645619a55120d"
        for (aaguid, name) in [(KindTests.aaguid, name), (other, passkeys)] {
            let data = KindTests.registrationData.replacing(KindTests.aaguid, with: aaguid)
            let info = "00" + KindTests.info.replacing(KindTests.aaguid, with: aaguid)
            for text in [data, info, "a363666d74646e6f6e656761747453746d74a06861757468446174615888\(data)"] {
                let described = KindTests.described(try KindTests.decode(text))
                #expect(described.contains("(\(name))"), "\(described)")
            }
        }
    }
}
