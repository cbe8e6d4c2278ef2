import CTAP
import CTAPHID
import Decoding
import Testing
import Trace
import WebAuthn

/// Logs in the forms of the programs that write them.
@Suite("A conversation in a log")
struct ConversationTests {
    /// A report that begins with these digits.
    static func report(_ head: String) -> String { head + String(repeating: "00", count: 64 - head.count / 2) }

    /// The output of libfido2 1.12 with FIDO_DEBUG, for a device without a credential.
    static let libfido2 = """
        fido_tx: dev=0x55d59f7a4e50, cmd=0x06
        fido_tx: buf=0x55d59f7a4e50, len=8
        0000: da ee d2 b3 6a ed be fc
        fido_rx: dev=0x55d59f7a4e50, cmd=0x06, ms=-1
        rx_preamble: buf=0x7ffcb1c10920, len=64
        0000: ff ff ff ff 86 00 11 da ee d2 b3 6a ed be fc 01
        0016: 02 03 04 02 05 04 03 05 00 00 00 00 00 00 00 00
        0032: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        rx: payload_len=17
        fido_rx: buf=0x55d59f7a4e58, len=17
        0000: da ee d2 b3 6a ed be fc 01 02 03 04 02 05 04 03
        0016: 05
        fido_dev_get_cbor_info_tx: dev=0x55d59f7a4e50
        fido_tx: dev=0x55d59f7a4e50, cmd=0x10
        fido_tx: buf=0x7ffcb1c10977, len=1
        0000: 04
        fido_dev_get_cbor_info_rx: dev=0x55d59f7a4e50, ci=0x55d59f62a0b0, ms=-1
        fido_rx: dev=0x55d59f7a4e50, cmd=0x10, ms=-1
        rx_preamble: buf=0x7ffcb1c108e0, len=64
        0000: 01 02 03 04 90 00 56 00 a6 01 82 66 55 32 46 5f
        0016: 56 32 68 46 49 44 4f 5f 32 5f 30 02 81 6b 68 6d
        0032: 61 63 2d 73 65 63 72 65 74 03 50 2f c0 57 9f 81
        0048: 13 47 ea b1 16 bb 5a 8d b9 20 2a 04 a4 62 72 6b
        rx: payload_len=86
        rx: buf=0x7ffcb1c108e0, len=64
        0000: 01 02 03 04 00 f5 62 75 70 f5 64 70 6c 61 74 f4
        0016: 69 63 6c 69 65 6e 74 50 69 6e f4 05 19 04 b0 06
        0032: 81 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        fido_rx: buf=0x55d59f7d6d10, len=86
        0000: 00 a6 01 82 66 55 32 46 5f 56 32 68 46 49 44 4f
        0016: 5f 32 5f 30 02 81 6b 68 6d 61 63 2d 73 65 63 72
        0032: 65 74 03 50 2f c0 57 9f 81 13 47 ea b1 16 bb 5a
        0048: 8d b9 20 2a 04 a4 62 72 6b f5 62 75 70 f5 64 70
        0064: 6c 61 74 f4 69 63 6c 69 65 6e 74 50 69 6e f4 05
        0080: 19 04 b0 06 81 01
        fido_dev_open_rx: FIDO_MAXMSG=2048, maxmsgsiz=1200
        fido_tx: dev=0x55d59f7a4e50, cmd=0x10
        fido_tx: buf=0x55d59f620ef0, len=50
        0000: 02 a2 01 6b 65 78 61 6d 70 6c 65 2e 63 6f 6d 02
        0016: 58 20 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0032: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00
        fido_rx: dev=0x55d59f7a4e50, cmd=0x10, ms=-1
        rx_preamble: buf=0x7ffcb1c108b0, len=64
        0000: 01 02 03 04 90 00 01 2e 00 00 00 00 00 00 00 00
        0016: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0032: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        rx: payload_len=1
        fido_rx: buf=0x55d59f7d6d10, len=1
        0000: 2e
        cbor_parse_reply: blob[0]=0x2e
        fido_dev_get_assert_rx: adjust_assert_count
        """

    /// Older versions print frames without offsets, and the command with its upper bit.
    static let oldLibfido2 = """
        tx: d=0000029CFD4C4560, cmd=0x90, buf=0000029CFB8606E0, count=6
          06 a2 01 01 02 02
        fido_dev_authkey_rx: dev=0000029CFD4C4560, authkey=0000029CFD4C24D0, ms=-1
        rx: initiation frame at 000000D85934BC50, len 64
          00 0e 00 09 90 00 05 00 a1 03 08 00 00 00 00 00
          00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
          00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
          00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        rx: payload at 000000D85934BE70, len 4
          00 a1 03 08
        """

    /// A message whose answer libfido2 could not use, so that only its report is in the log.
    static let refusedByLibfido2 = """
        fido_tx: d=0x7fc61f614110, cmd=0x10, buf=0x7ffee0961c07, count=1
        0000: 04
        fido_rx: d=0x7fc61f614110, cmd=0x10, buf=0x7ffee0961400, count=2048, ms=-1
        rx_preamble: initiation frame at 0x7ffee0961318
        0000: 00 62 00 4e bf 00 01 01 00 00 00 00 00 00 00 00
        0016: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0032: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
        rx_preamble: cid (0x4e006200, 0x4e006200), cmd (0xbf, 0x10)
        fido_dev_get_cbor_info_rx: fido_rx
        """

    static let pcscd = """
        00000012 [139865] winscard.c:1610:SCardTransmit() Send Protocol: T=1
        00000003 [139865] APDU: 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00
        00000007 [139865] -> 000000 6F 0E 00 00 00 00 11 00 00 00 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00
        00013561 [139865] SW: 55 32 46 5F 56 32 90 00
        00000003 [139865] APDU: 80 10 00 00 06 06 A2 01 01 02 01 00
        00013561 [139865] SW: 00 A1 61 02
        00000003 [139865] APDU: 00 C0 00 00 02
        00013561 [139865] SW: 03 08 90 00
        """

    static let chained = """
        APDU: 90 10 00 00 03 06 A2 01
        SW: 90 00
        APDU: 80 10 00 00 03 01 02 01 00
        SW: 00 A1 03 08 90 00
        """

    static let pythonHID = """
        DEBUG:fido2.hid:SEND: \(report("0102030490000606a201010201"))
        Level 5:fido2.hid:RECV: \(report("01020304bb000102"))
        Level 5:fido2.hid:RECV: \(report("0102030490000400a10308"))
        """

    static let pythonCard = """
        Level 5:fido2.pcsc:SEND: 801000000606a20101020100
        Level 5:fido2.pcsc:RECV: 00a10308 SW=9000
        """

    static let windows = """
        Ctap Nfc SCardTransmit Request:

        Request: 14 bytes
        0x00A4040008A0000006472F000100

        Response data: 8 bytes
        0x4649444F5F325F30

        Apdu Status: 0x9000

        Request: 12 bytes
        0x801000000606A20101020100

        Response data: 4 bytes
        0x00A10308

        Apdu Status: 0x9000
        """

    /// A device's log: the client's messages are the received ones.
    static let openSK = """
        Received message: Message { cid: [ff, ff, ff, ff], cmd: 06, payload: [1b, 2c, 85, af, 7b, f7, aa, 39] }
        Sending message: Message { cid: [ff, ff, ff, ff], cmd: 06, payload: [1b, 2c, 85, af, 7b, f7, aa, 39, 00, 00, 00, 01, 02, 01, 00, 00, 05] }
        Received message: Message { cid: [00, 00, 00, 01], cmd: 10, payload: [06, a2, 01, 01, 02, 01] }
        Sending message: Message { cid: [00, 00, 00, 01], cmd: 10, payload: [00, a1, 03, 08] }
        """

    static let bridge = """
        DEBUG:root:GOT MESSAGE (type _ReportType.UHID_OUTPUT_REPORT): 00\(report("fbe8abeb90000606a201010201"))
        DEBUG:root:Initial packet 00\(report("fbe8abeb90000606a201010201"))
        INFO:UHIDDevice:(UHID_INPUT2) send \(report("fbe8abeb90000400a10308"))
        """

    static let testTool = """
        > t+0.000> ffffffff:86[8]:712760D77F0BCD8500000000
        > t+0.000< ffffffff:86[17]:712760D77F0BCD85D2D95361023E0C000000
        """

    static let lines = "06a201010201\n00a10308\n04\n00" + KindTests.info.filter { $0 != " " }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// The beginnings of the titles of some parts, in their order.
        let titles: [String]
        /// Texts that the description has.
        let words: [String]

        var testDescription: String { name }
    }

    private static let rows: [Row] = [
        Row(
            name: "libfido2", text: libfido2,
            titles: [
                "client → device, INIT", "device → client, INIT", "client → device, CBOR, request: GetInfo",
                "device → client, CBOR, response to GetInfo: OK",
                "client → device, CBOR, request: GetAssertion for example.com",
                "device → client, CBOR, response to GetAssertion: NO_CREDENTIALS (0x2E)",
            ], words: ["versions: [U2F_V2, FIDO_2_0]", "device version: 5.4.3", "maxMsgSize: 1200"]),
        Row(
            name: "old libfido2", text: oldLibfido2,
            titles: [
                "client → device, CBOR, request: ClientPIN getKeyAgreement",
                "device → client, CBOR, response to ClientPIN: OK",
            ],
            words: ["pinRetries: 8"]),
        Row(
            name: "libfido2 without the message", text: refusedByLibfido2,
            titles: ["client → device, CBOR, request: GetInfo", "device → client, ERROR on channel 0062004e"],
            words: ["ERR_INVALID_CMD"]),
        Row(
            name: "pcscd", text: pcscd,
            titles: [
                "client → device, SELECT", "device → client, NO_ERROR", "client → device, NFCCTAP_MSG",
                "device → client, MORE_DATA", "client → device, GET RESPONSE", "device → client, NO_ERROR",
            ], words: ["version: U2F_V2", "ClientPIN getPINRetries", "pinRetries: 8"]),
        Row(
            name: "a chain", text: chained,
            titles: [
                "client → device, NFCCTAP_MSG (90 10 00 00)", "device → client, NO_ERROR",
                "client → device, NFCCTAP_MSG (80 10", "device → client, NO_ERROR",
            ],
            words: ["part of a chain", "ClientPIN getPINRetries", "pinRetries: 8"]),
        Row(
            name: "python-fido2 on USB", text: pythonHID,
            titles: [
                "client → device, CBOR on channel 01020304", "device → client, KEEPALIVE", "device → client, CBOR",
            ],
            words: ["waiting for the user", "pinRetries: 8"]),
        Row(
            name: "python-fido2 on a reader", text: pythonCard,
            titles: ["client → device, NFCCTAP_MSG", "device → client, NO_ERROR"], words: ["pinRetries: 8"]),
        Row(
            name: "Windows", text: windows,
            titles: [
                "client → device, SELECT", "device → client, NO_ERROR", "client → device, NFCCTAP_MSG",
                "device → client, NO_ERROR",
            ],
            words: ["version: FIDO_2_0", "pinRetries: 8"]),
        Row(
            name: "OpenSK", text: openSK,
            titles: [
                "client → device, INIT", "device → client, INIT", "client → device, CBOR", "device → client, CBOR",
            ],
            words: ["ClientPIN getPINRetries", "pinRetries: 8"]),
        Row(
            name: "a bridge", text: bridge, titles: ["client → device, CBOR", "device → client, CBOR"],
            words: ["pinRetries: 8"]),
        Row(
            name: "the tool for U2F", text: testTool, titles: ["client → device, INIT", "device → client, INIT"],
            words: ["channel: d2d95361"]),
        Row(
            name: "usbmon",
            text: "ffff8f1d2c0e0a80 1234567 S Io:1:005:1 -115:1 64 = \(report("0102030490000606a201010201"))\n"
                + "ffff8f1d2c0e0a80 1234599 C Io:1:005:1 0:1 64 >\n"
                + "ffff8f1d2c0e0a80 1234999 C Ii:1:005:2 0:1 64 = \(report("0102030490000400a10308"))",
            titles: ["client → device, CBOR", "device → client, CBOR"], words: ["pinRetries: 8"]),
        Row(
            name: "diagnostic notation", text: "-> 0x06 {1: 1, 2: 1}\n<- 0x00 {3: 8}",
            titles: ["client → device, request: ClientPIN", "device → client, response to ClientPIN"],
            words: ["pinRetries: 8"]),
        Row(
            name: "lines of messages", text: lines,
            titles: [
                "client → device, request: ClientPIN", "device → client, response to ClientPIN: OK",
                "client → device, request: GetInfo", "device → client, response to GetInfo",
            ],
            words: ["pinRetries: 8", "versions: [U2F_V2, FIDO_2_0]"]),
        Row(
            name: "a list in JSON", text: #"["06a201010201", "00a10308"]"#,
            titles: ["client → device, request: ClientPIN", "device → client, response to ClientPIN: OK"],
            words: ["pinRetries: 8"]),
    ]

    @Test(arguments: rows)
    func aLogIsAConversation(row: Row) throws {
        let decoded = try KindTests.decode(row.text)
        #expect(decoded.kind == .conversation)
        let titles = decoded.parts.map(\.title)
        #expect(titles.count == row.titles.count)
        for (title, beginning) in zip(titles, row.titles) { #expect(title.hasPrefix(beginning), "\(titles)") }
        let described = KindTests.described(decoded)
        for words in row.words { #expect(described.contains(words), "\(described)") }
        #expect(decoded.parts.flatMap(\.problems) == [])
    }

    @Test func aLogWithWindowsLineBreaksIsTheSame() throws {
        let decoded = try KindTests.decode(Self.libfido2.replacing("\n", with: "\r\n"))
        #expect(decoded.parts == (try KindTests.decode(Self.libfido2)).parts)
    }

    @Test(arguments: [libfido2, pcscd + "\nAPDU: 80 10 00 00 01 04 00\nSW: 00 " + KindTests.info + " 90 00", lines])
    func theAnswerToGetInfoIsFound(text: String) throws {
        #expect(try KindTests.decode(text).info != nil)
    }

    /// The reports of a long message, as one text and as a line for each.
    @Test(arguments: ["", "\n"])
    func reportsAreAssembled(separator: String) throws {
        let payload = [0x00] + [UInt8](try #require(Hex.decode(KindTests.info.filter { $0 != " " })))
        let message = try CTAPHIDMessage(
            channel: CTAPHIDChannel(rawValue: 0x0102_0304), command: .cbor, payload: payload)
        let text = message.packets.map { Hex.encode($0.report) }.joined(separator: separator)
        let decoded = try KindTests.decode(text)
        #expect(decoded.parts.count == 1)
        // The answer alone: its command is not in the input.
        #expect(decoded.parts[0].title.contains("CBOR on channel 01020304"))
    }

    @Test func reportsOutOfOrderAreNamed() throws {
        let first = Self.report("01020304900064") + "\n"
        let decoded = try KindTests.decode("SEND: " + first + "SEND: " + Self.report("0102030401"))
        let problem = try #require(decoded.parts.flatMap(\.problems).first)
        #expect(problem.text.contains("continuation 0 was expected"))
        #expect(problem.clause == "CTAP 2.3 §11.2.4")
    }

    @Test func aHashOfAnotherRelyingPartyIsNamed() throws {
        let request = "02a2016b6578616d706c652e636f6d025820" + KindTests.hash
        let response =
            "00a3025825" + KindTests.hash + "0500000009" + "034101" + "01a262696442010264747970656a7075626c69632d6b6579"
        let decoded = try KindTests.decode("SEND: \(request)\nRECV: \(response)")
        #expect(decoded.parts.flatMap(\.problems).contains { $0.text.contains("RP ID example.com") })
    }

    @Test func aCredentialInJSONIsDecodedMemberByMember() throws {
        let client = Base64URL.encode(
            Array(#"{"type":"webauthn.get","challenge":"AAAAAAAAAAAAAAAAAAAAAA","origin":"https://example.com"}"#.utf8))
        let data = Base64URL.encode(try #require(Hex.decode(KindTests.assertionData.filter { $0 != " " })))
        let decoded = try KindTests.decode(
            #"{"id":"AQI","rawId":"AQI","type":"public-key","response":{"clientDataJSON":"\#(client)","#
                + #""authenticatorData":"\#(data)","signature":"MAYCAQECAQI","userHandle":null}}"#)
        #expect(decoded.kind == .credential)
        #expect(
            decoded.parts.map(\.title) == [
                "id", "rawId", "response.authenticatorData, authenticator data", "response.clientDataJSON, client data",
                "response.signature, ECDSA signature",
            ])
        #expect(decoded.parts.flatMap(\.problems) == [])
    }

    @Test func secretsAreMasked() throws {
        var decoded = try KindTests.decode("00a1025820" + KindTests.hash, to: .clientPIN)
        #expect(KindTests.described(decoded).contains(KindTests.hash))
        decoded.parts = decoded.parts.map(\.masked)
        #expect(!KindTests.described(decoded).contains(KindTests.hash))
    }
}
