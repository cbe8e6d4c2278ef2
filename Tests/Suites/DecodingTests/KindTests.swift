import CBOR
import COSE
import CTAP
import Decoding
import TestSupport
import Testing
import Trace
import WebAuthn

/// One structure at a time, in several texts.
@Suite("The kind of bytes")
struct KindTests {
    static let aaguid = "2fc0579f811347eab116bb5a8db9202a"
    static let info =
        "a6018266553246 5f5632684649444f5f325f300281 6b686d61632d736563726574 0350 \(aaguid)"
        + " 04a462726bf5627570f564706c6174f469636c69656e7450696ef4 051904b0 068101"
    static let hash = String(repeating: "5a", count: 32)
    /// A P-256 key (RFC 9053 §7.1.1) with the base point's coordinates (SEC 2 §2.4.2).
    static let key =
        "a5010203262001215820 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        + "225820 4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    /// The same point as the key of a key agreement (CTAP 2.3 §6.5.6).
    static let agreementKey = key.replacing("0326", with: "033818")
    /// A certificate with a key on P-256, in a byte string of CBOR.
    static let certificate =
        "5901723082016e30820115a00302010202142474d769a07a79bcde2b965a7dbdbd62884e3615300a06082a8648ce3d040302"
        + "300c310a300806035504030c01743020170d3236313132383038313632395a180f32313236313130343038313632395a300c"
        + "310a300806035504030c01743059301306072a8648ce3d020106082a8648ce3d03010703420004e35f6ff839b048d5501c70"
        + "7370da9b7a4a8a11b03e659a0230e5bea90cf3725042ec5c90a7b756cbc9f5997f7505403575949ac2fc6e036272c99ad96d"
        + "976fc4a3533051301d0603551d0e04160414bc8d601a5c2b067cd886971ea6c7135e140cf613301f0603551d230418301680"
        + "14bc8d601a5c2b067cd886971ea6c7135e140cf613300f0603551d130101ff040530030101ff300a06082a8648ce3d040302"
        + "034700304402204d05d35f29b677b5504dcabd06855728a5277ab7fa64109fe6f061c69e0b33ef02200a659c7408a8d4fd1e"
        + "7cb01eb978052fcfc12f91064e4d029db9e405a19f65c3"
    static let registrationData = "\(hash) 45 00000007 \(aaguid) 0004 01020304 \(key)"
    static let assertionData = "\(hash) 05 00000009"

    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let kind: DecodedKind
        /// Texts that the description has.
        let words: [String]

        init(_ text: String, _ kind: DecodedKind, _ words: String...) {
            (self.text, self.kind, self.words) = (text, kind, words)
        }

        var testDescription: String { "\(kind.rawValue): \(text.prefix(60))" }
    }

    static func described(_ decoded: DecodedInput) -> String {
        decoded.parts.map { part in
            ([part.title] + part.fields.flatMap { $0.lines(indent: 2) }
                + part.problems.map { "wrong: \($0.text) (\($0.clause ?? ""))" })
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }

    static func decode(_ text: String, as kind: DecodedKind? = nil, to command: CTAPCommand? = nil) throws
        -> DecodedInput
    {
        try DecodedInput(Array(text.utf8), as: kind, answering: command)
    }

    private static let rows: [Row] = [
        Row("00" + info, .getInfo, "versions: [U2F_V2, FIDO_2_0]", "maxMsgSize: 1200"),
        Row(info, .getInfo, "without its status byte"),
        Row("04", .request, "GetInfo"), Row("07", .request, "Reset"), Row("0b", .request, "Selection"),
        Row("06a20101 0202", .request, "ClientPIN getKeyAgreement"),
        Row("02a2016b6578616d706c652e636f6d025820" + hash, .request, "GetAssertion for example.com"),
        Row("2e", .response, "NO_CREDENTIALS (0x2E)"), Row("31", .response, "PIN_INVALID (0x31)"),
        Row("00", .response, "OK"),
        Row("00a10308", .response, "ClientPIN", "pinRetries: 8"),
        Row("00a101" + key, .response, "ClientPIN", "keyAgreement", "EC2"),
        Row(
            "a3016b6578616d706c652e636f6d025820" + hash + "0381a262696442010264747970656a7075626c69632d6b6579",
            .request,
            "without its command byte"),
        Row(key, .coseKey, "kty: 2 (EC2)", "alg: -7 (ES256)", "crv: 1 (P-256)"),
        Row(String(repeating: "5a", count: 32) + "4100000009", .authenticatorData, "attested credential data"),
        Row(assertionData, .authenticatorData, "user present (UP), user verified (UV)", "signCount: 9"),
        Row(
            registrationData, .authenticatorData, "aaguid: 2fc0579f-8113-47ea-b116-bb5a8db9202a",
            "credentialId: 01020304"),
        Row(
            "a363666d74646e6f6e656761747453746d74a0686175746844617461587d" + "\(registrationData)", .attestationObject,
            "fmt: none"),
        Row("00a4040008a0000006472f000100", .command, "SELECT", "FIDO"),
        Row("00a4040008a0000006472f0001", .command, "SELECT"),
        Row("80100000010400", .command, "NFCCTAP_MSG (80 10 00 00)", "GetInfo"),
        Row("00030000000000", .command, "U2F_VERSION", "extended lengths"),
        Row("5532465f56329000", .answer, "NO_ERROR (0x9000)"), Row("6a82", .answer, "NOT_FOUND (0x6A82)"),
        Row(
            "ffffffff860008 0102030405060708" + String(repeating: "00", count: 49), .reports, "INIT",
            "nonce: 0102030405060708"),
        Row("01020304bb000102" + String(repeating: "00", count: 56), .reports, "KEEPALIVE", "waiting for the user"),
        Row("01020304bf000106" + String(repeating: "00", count: 56), .reports, "ERROR", "ERR_CHANNEL_BUSY"),
        Row("0001020304bf000106" + String(repeating: "00", count: 56), .reports, "ERR_CHANNEL_BUSY"),
        Row("3006020101020102", .signature, "r: 01", "s: 02"),
        Row("a26161016162820203", .cbor, "a 1"),
        Row(
            #"{"type":"webauthn.get","challenge":"AAAAAAAAAAAAAAAAAAAAAA","origin":"https://example.com"}"#,
            .clientData,
            "type: webauthn.get", "origin: https://example.com"),
        Row(
            "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a2241414141414141414141414141414141414141414141222c226f726967696e223a2268747470733a2f2f6578616d706c652e636f6d227d",
            .clientData, "webauthn.get"),
    ]

    @Test(arguments: rows)
    func bytesHaveTheirMostSpecificKind(row: Row) throws {
        let decoded = try Self.decode(row.text)
        #expect(decoded.kind == row.kind)
        let described = Self.described(decoded)
        for words in row.words { #expect(described.contains(words), "\(described)") }
        // The same kind, forced.
        #expect(try Self.decode(row.text, as: row.kind).kind == row.kind)
    }

    /// The forms in which programs write the same bytes.
    @Test(arguments: [
        "a10308", "A1 03 08", "a1:03:08", "0xa10308", "0xA1, 0x03, 0x08", "{0xa1, 0x3, 0x8}", "\\xa1\\x03\\x08",
        "b'\\xa1\\x03\\x08'", "\\xA10308", "'\\xa10308'", "<a10308>", "<Buffer a1 03 08>", "h'a10308'", "[161, 3, 8]",
        "[-95,3,8]",
        "Uint8Array(3) [161, 3, 8]", "[]byte{0xa1, 0x3, 0x8}", "\"a10308\"", "oQMI", "oQMI\n", "[a1, 03, 08]",
        #"{"type":"Buffer","data":[161,3,8]}"#, #"{"0":161,"1":3,"2":8}"#, #"["a10308"]"#, "0000: a1 03 08",
        "00000000: a103 08                                  ...", "00000000  a1 03 08   |...|",
        "0000   a1 03 08    ...",
    ])
    func aFormOfTextDoesNotChangeTheBytes(text: String) throws {
        let decoded = try Self.decode(text)
        let described = Self.described(decoded)
        #expect(described.contains("pinRetries: 8"), "\(described)")
    }

    @Test func base64IsReadInBothAlphabetsAndWithPadding() throws {
        let bytes = [UInt8](try #require(Hex.decode(Self.key.filter { $0 != " " })))
        let url = Base64URL.encode(bytes)
        let standard = url.replacing("-", with: "+").replacing("_", with: "/")
        for (text, form) in [
            (url, "base64url"), (standard + "=", "base64"),
            (standard.prefix(60) + "\n" + standard.dropFirst(60) + "=", "base64"),
        ] {
            let decoded = try Self.decode(String(text))
            #expect(decoded.kind == .coseKey)
            #expect(decoded.form.hasPrefix(form))
        }
    }

    /// The lines of libfido2's program, in its own order.
    @Test func theListingOfAKeyIsItsAnswer() throws {
        let decoded = try Self.decode(
            """
            proto: 0x02
            major: 0x05
            caps: 0x05 (wink, cbor, msg)
            version strings: U2F_V2, FIDO_2_0, FIDO_2_1_PRE
            extension strings: credProtect, hmac-secret
            transport strings: nfc, usb
            algorithms: es256 (public-key), eddsa (public-key)
            aaguid: 2fc0579f811347eab116bb5a8db9202a
            options: rk, up, noplat, clientPin, credentialMgmtPreview
            fwversion: 0x50403
            maxmsgsiz: 1200
            maxcredcntlst: 8
            maxcredlen: 128
            maxlargeblob: 0
            minpinlen: 4
            pin protocols: 2, 1
            pin retries: 8
            pin change required: false
            uv retries: undefined
            """)
        #expect(decoded.kind == .getInfo)
        let info = try AuthenticatorInfo(cbor: #require(decoded.info))
        #expect(info.versions == ["U2F_V2", "FIDO_2_0", "FIDO_2_1_PRE"])
        #expect(info.aaguid == AAGUID("2fc0579f-8113-47ea-b116-bb5a8db9202a"))
        #expect(
            info.options == ["rk": true, "up": true, "plat": false, "clientPin": true, "credentialMgmtPreview": true])
        #expect(info.algorithms?.map(\.algorithm) == [.es256, .edDSA])
        #expect(info.firmwareVersion == 0x050403 && info.pinUvAuthProtocols == [2, 1])
        #expect(info.maxSerializedLargeBlobArray == nil && info.forcePINChange == nil)
        #expect(decoded.parts.flatMap(\.problems) == [])
    }

    /// A listing leaves out members, so their absence says nothing.
    @Test func membersThatAListingDoesNotPrintAreNotJudged() async throws {
        let listing = """
            version strings: U2F_V2, FIDO_2_0, FIDO_2_1
            extension strings: credBlob, hmac-secret
            aaguid: a25342c03cdc44148e46f4807fca511c
            options: rk, up, noplat, clientPin, largeBlobs, pinUvAuthToken
            maxmsgsiz: 1280
            maxlargeblob: 0
            pin protocols: 2, 1
            """
        let decoded = try Self.decode(listing)
        let problems = decoded.parts.flatMap(\.problems).map(\.text)
        #expect(!problems.contains { $0.contains("maxCredBlobLength") }, "\(problems)")
        // This line is in the listing.
        #expect(problems.contains { $0.contains("maxSerializedLargeBlobArray come together") }, "\(problems)")
        #expect(decoded.uncertain.contains(.maxCredBlobLength) && !decoded.uncertain.contains(.maxMsgSize))
        let whole = try Self.decode(listing + "\nmaxcredbloblen: 0\n")
        #expect(whole.parts.flatMap(\.problems).contains { $0.text.contains("maxCredBlobLength come together") })
    }

    /// Python prints its own values for members that an answer lacks.
    @Test func pythonsDefaultsAreNoMembers() throws {
        let decoded = try Self.decode(
            "Info(versions=['FIDO_2_0'], extensions=[], aaguid=AAGUID(\(Self.aaguid)), options={'rk': True}, "
                + "max_msg_size=1200, force_pin_change=False, max_rpids_for_min_pin=0, preferred_platform_uv_attempts=0, "
                + "uv_modality=0, attestation_formats=['packed'], long_touch_for_reset=False, max_pin_length=63)")
        let info = try #require(decoded.info).asMap("info")
        #expect(info.keys == [1, 3, 4, 5])
        #expect(decoded.uncertain == [.attestationFormats])
        #expect(decoded.parts.flatMap(\.problems) == [])
    }

    @Test func rawBytesAreReadAsTheyAre() throws {
        #expect(try DecodedInput([0x00, 0xA1, 0x03, 0x08]).kind == .response)
    }

    @Test func aResponseHasTheMembersOfTheGivenCommand() throws {
        let answer = "00a10308"
        #expect(
            Self.described(try Self.decode(answer, to: .bioEnrollment)).contains(
                "maxCaptureSamplesRequiredForEnroll: 8"))
        #expect(Self.described(try Self.decode(answer, to: .clientPIN)).contains("pinRetries: 8"))
    }
}
