import CTAP
import CTAPHID
import Decoding
import Testing
import Trace
import WebAuthn

/// Logs in the forms of the programs that write them.
@Suite("A conversation in a log")
struct ConversationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// The beginnings of the titles of some parts, in their order.
        let titles: [String]
        /// Texts that the description has.
        let words: [String]

        var testDescription: String { name }
    }

    private static let libfido2Titles = [
        "client → device, INIT", "device → client, INIT", "client → device, CBOR, request: GetInfo",
        "device → client, CBOR, response to GetInfo: OK",
        "client → device, CBOR, request: GetAssertion for example.com",
        "device → client, CBOR, response to GetAssertion: NO_CREDENTIALS (0x2E)",
    ]

    private static let rows: [Row] = [
        Row(
            name: "libfido2", text: libfido2, titles: libfido2Titles,
            words: ["versions: [U2F_V2, FIDO_2_0]", "device version: 5.4.3", "maxMsgSize: 1200"]),
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
            name: "python-fido2 2 with ykman's prefix", text: unfilled,
            titles: [
                "client → device, INIT", "device → client, INIT",
                "client → device, CBOR on channel 01020304, request: GetAssertion for example.com",
                "device → client, CBOR on channel 01020304, response to GetAssertion",
                "client → device, CBOR on channel 01020304, request: GetInfo",
                "device → client, CBOR on channel 01020304, response to GetInfo: INVALID_COMMAND",
            ], words: ["channel: 01020304"]),
        Row(
            name: "a bridge with words", text: bridgeWithWords,
            titles: ["client → device, INIT", "device → client, INIT"], words: ["channel: fbe8abeb"]),
        Row(
            name: "libfido2 over a reader", text: libfido2Card,
            titles: [
                "client → device, CBOR, request: GetInfo", "client → device, SELECT", "device → client, NOT_FOUND",
            ], words: ["FIDO"]),
        Row(name: "libfido2 with parts of messages", text: libfido2Parts, titles: libfido2Titles, words: []),
        Row(name: "libfido2 with a listing", text: libfido2WithListing, titles: libfido2Titles, words: []),
        Row(
            name: "opensc-tool", text: openSCTool,
            titles: [
                "client → device, SELECT", "device → client, NO_ERROR", "client → device, NFCCTAP_MSG",
                "device → client, MORE_DATA", "client → device, GET RESPONSE", "device → client, NO_ERROR",
                "client → device, NFCCTAP_MSG", "device → client, CONDITIONS",
            ], words: ["version: U2F_V2", "pinRetries: 8"]),
        Row(
            name: "OpenSC", text: openSC, titles: ["client → device, SELECT", "device → client, NO_ERROR"],
            words: ["version: FIDO_2_0"]),
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
            name: "a request and its response in one line", text: "06a201010201 / 00a10308",
            titles: ["client → device, request: ClientPIN", "device → client, response to ClientPIN: OK"],
            words: ["pinRetries: 8"]),
        Row(
            name: "APDUs in one line each",
            text: "00a4040008a0000006472f000100 -> 5532465f56329000\n80100000010400 -> 6985",
            titles: [
                "client → device, SELECT", "device → client, NO_ERROR", "client → device, NFCCTAP_MSG",
                "device → client, CONDITIONS_NOT_SATISFIED",
            ], words: ["version: U2F_V2", "GetInfo"]),
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

    /// The marks that journals, viewers, mails and pages put around each line.
    static let marks: [(before: String, after: String)] = [
        ("Nov 27 18:00:01 host systemd-homed[812]: ", ""), ("2026-11-27T18:00:01+0100 host ssh-sk-helper[812]: ", ""),
        ("> ", ""), ("> > ", ""), ("[12] ", ""), ("  12  ", ""), ("", "<br>"), ("<p>", "</p>"), ("web-1  | ", ""),
    ]

    @Test(arguments: marks)
    func marksAroundEachLineDoNotChangeALog(before: String, after: String) throws {
        for log in [Self.libfido2, Self.libfido2Parts, Self.libfido2Card] {
            let marked = log.split(separator: "\n").map { before + $0 + after }.joined(separator: "\n")
            #expect(try KindTests.decode(marked).parts == KindTests.decode(log).parts)
        }
        let dump =
            "00000000: 00a1 03                                  ...\n00000003: 08                                       ."
        let marked = dump.split(separator: "\n").map { before + $0 + after }.joined(separator: "\n")
        #expect(KindTests.described(try KindTests.decode(marked)).contains("pinRetries: 8"))
    }

    @Test(arguments: [
        libfido2, libfido2WithListing, pcscd + "\nAPDU: 80 10 00 00 01 04 00\nSW: 00 " + KindTests.info + " 90 00",
        lines,
    ])
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
