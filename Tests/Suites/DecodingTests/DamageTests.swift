import Decoding
import Testing

@Suite("A damaged input")
struct DamageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        /// A part of the problem's text.
        let problem: String

        init(_ name: String, _ text: String, _ problem: String) {
            (self.name, self.text, self.problem) = (name, text, problem)
        }

        var testDescription: String { name }
    }

    private static let log = ConversationTests.libfido2
    private static let row = "0016: 5f 32 5f 30 02 81 6b 68 6d 61 63 2d 73 65 63 72"
    private static let last = "0080: 19 04 b0 06 81 01"
    private static let request = ConversationTests.report("0102030490000606a201010201")
    private static let answer = ConversationTests.report("0102030490000400a10308")
    private static let long = ConversationTests.report("01020304900064" + "06a201010201")

    /// A log behind the prefix of a journal, of 16 characters.
    private static func journal(_ log: String) -> String {
        log.split(separator: "\n").map { "18:00:01 homed: " + $0 }.joined(separator: "\n")
    }

    private static func changed(_ old: String, _ new: String, in text: String = log) -> String {
        text.replacing(old, with: new)
    }

    /// The first lines of the files of fido2-cred and fido2-assert.
    private static let tool = "\(InputTests.standard(InputTests.hash))\nexample.org\n"

    private static let dump = """
        00000000  00 a6 01 82 66 55 32 46  5f 56 32 68 46 49 44 4f  |....fU2F_V2hFIDO|
        00000010  5f 32 5f 30 02 81 6b 68  6d 61 63 2d 73 65 63 72  |_2_0..khmac-secr|
        00000020  65 74 03 50 2f c0 57 9f  81 13 47 ea b1 16 bb 5a  |et.P/.W...G....Z|
        00000030
        """

    private static let rows: [Row] = [
        // libfido2.
        Row(
            "a digit is missing in a message",
            changed("02 81 6b 68 6d 61 63 2d 73 65 63 72", "02 81 6b 68 6d 61 63 2d 73 65 63 7"),
            "line 33 cannot be read: “7” in column 52 is not two hexadecimal digits"),
        Row(
            "a digit is missing in a report that the message repeats",
            changed(
                "0016: 56 32 68 46 49 44 4f 5f 32 5f 30 02 81 6b 68 6d",
                "0016: 56 32 68 46 49 44 4f 5f 32 5f 30 02 81 6b 68 6"),
            "line 22 cannot be read: “6” in column 52"),
        Row("a letter stands for a digit", changed("0048: 8d b9 20", "0048: 8d b9 2O"), "line 35 cannot be read: “2O”"),
        Row(
            "an offset has a letter", changed("0032: 65 74 03", "OO32: 65 74 03"),
            "“O” in column 1 is not a digit of an offset"),
        Row(
            "a row is missing", changed("0048: 8d b9 20 2a 04 a4 62 72 6b f5 62 75 70 f5 64 70\n", ""),
            "begins at offset 0064, but the rows before it have 48 bytes"),
        Row("the last row is missing", changed(last + "\n", ""), "line 31 announces 86 bytes, and 80 follow"),
        Row("the last row is cut off", changed(last, "0080: 19 04 b0"), "line 31 announces 86 bytes, and 83 follow"),
        Row(
            "a row is cut off", changed("5f 30 02 81 6b 68 6d 61 63 2d 73 65 63 72", "5f 30 02"),
            "begins at offset 0032, but the rows before it have"),
        Row(
            "rows are out of order",
            changed(
                "0064: 6c 61 74 f4 69 63 6c 69 65 6e 74 50 69 6e f4 05\n0080: 19 04 b0 06 81 01",
                "0080: 19 04 b0 06 81 01\n0064: 6c 61 74 f4 69 63 6c 69 65 6e 74 50 69 6e f4 05"),
            "begins at offset 0080, but the rows before it have 64 bytes"),
        Row(
            "the log ends at a heading", "fido_tx: dev=0x5, cmd=0x10\nfido_tx: buf=0x7, len=1",
            "line 2 announces 1 byte, and none follow"),
        Row(
            "an older log has a wrong row",
            changed("00 a1 03 08\n", "00 a1 O3 08\n", in: ConversationTests.oldLibfido2 + "\n"), "“O3” in column"),
        Row(
            "a digit is missing behind a journal's prefix",
            journal(changed("02 81 6b 68 6d 61 63 2d 73 65 63 72", "02 81 6b 68 6d 61 63 2d 73 65 63 7")),
            "line 33 cannot be read: “7” in column 68 is not two hexadecimal digits"),
        Row(
            "an offset has a letter behind a journal's prefix", journal(changed("0032: 65 74 03", "OO32: 65 74 03")),
            "“O” in column 17 is not a digit of an offset"),
        Row(
            "a part of a message has a letter",
            changed("0000: a2 53 42 c0", "0000: a2 53 4Z c0", in: ConversationTests.libfido2Parts),
            "cannot be read: “4Z” in column 13"),
        Row(
            "a report and its message differ", changed("0048: 8d b9 20 2a 04 a4", "0048: 8d b9 20 2a 04 a5"),
            "byte 53 of the message is a5, and a4 in its reports"),
        Row(
            "a report has the wrong sequence number", changed("0000: 01 02 03 04 00 f5", "0000: 01 02 03 04 05 f5"),
            "line 27: the sequence number is 5, and continuation 0 was expected"),
        Row(
            "a continuation has another channel", changed("0000: 01 02 03 04 00 f5", "0000: 01 02 03 05 00 f5"),
            "line 27: the channel is 01020305, and its message began on channel 01020304"),
        Row(
            "an answer has another channel than INIT gave",
            changed("0000: 01 02 03 04 90 00 01 2e", "0000: 01 02 03 05 90 00 01 2e"),
            "the channel is 01020305, and the device's channel is 01020304"),
        Row(
            "a response in the line of its request has an odd number of digits", "06a201010201 / 00a1030",
            "line 1 cannot be read: the bytes from column 16 have an odd number"),
        Row(
            "a report of a message is missing",
            changed(
                """
                rx: buf=0x7ffcb1c108e0, len=64
                0000: 01 02 03 04 00 f5 62 75 70 f5 64 70 6c 61 74 f4
                0016: 69 63 6c 69 65 6e 74 50 69 6e f4 05 19 04 b0 06
                0032: 81 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00
                0048: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00

                """, ""), "the reports have 57 of the message's 86 bytes: a report is missing"),
        Row(
            "the stated length is wrong", changed("payload_len=86", "payload_len=88"),
            "line 25 says payload_len=88, and the message has 86 bytes"),
        Row(
            "a report announces another length", changed("04 90 00 56", "04 90 00 55"),
            "the first report announces 85 bytes, and the message has 86"),
        Row(
            "the rows of a response are missing",
            changed("55 32 46 5F 56 32 U2F_V2\n", "", in: ConversationTests.openSCTool),
            "line 2 announces the rows of a response, and none follow"),
        // Other programs.
        Row(
            "a report of python-fido2 2 is short", "Level 5:fido2.hid:SEND: 0102030490000606a2010102",
            "line 1: a report has 64 bytes, not 12"),
        Row(
            "a row of opensc-tool has a letter",
            changed("55 32 46 5F", "55 3Z 46 5F", in: ConversationTests.openSCTool), "line 3 cannot be read"),
        Row(
            "an APDU has a half byte", changed("SW: 00 A1 61 02", "SW: 00 A1 6 02", in: ConversationTests.pcscd),
            "line 6 cannot be read: “6” in column 29 is not two hexadecimal digits"),
        Row(
            "an APDU has a letter", changed("APDU: 80 10 00", "APDU: 80 1O 00", in: ConversationTests.pcscd),
            "line 5 cannot be read: “O”"),
        Row(
            "a line of python-fido2 has an odd number of digits",
            changed("00a10308", "00a1030", in: ConversationTests.pythonHID), "127 hexadecimal digits, an odd number"),
        Row(
            "a line of python-fido2 has a letter", changed("00a10308", "00a1O308", in: ConversationTests.pythonHID),
            "line 3 cannot be read: “O” in column"),
        Row(
            "a line of Windows announces more",
            changed("Response data: 4 bytes", "Response data: 5 bytes", in: ConversationTests.windows),
            "line 14 announces 5 bytes, and 4 follow"),
        Row("a line of the test tool is cut off", String(ConversationTests.testTool.dropLast()), "an odd number"),
        Row(
            "a status word has a letter",
            "APDU: 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00\nSW: 55 32 46 5F 56 32 9O 00",
            "line 2 cannot be read: “O” in column 24"),
        Row(
            "a line of the test tool is short", String(ConversationTests.testTool.dropLast(12)),
            "a message of 17 bytes has 17 to 57 in its first report, not 12"),
        Row(
            "a line announces more bytes than it has", "SEND (7 bytes): 06a201010201\nRECV: 00a10308",
            "line 1 announces 7 bytes, and has 6"),
        // Lines of digits.
        Row("a line of a message has an odd number", "06a201010201\n00a1030\n04\n2e\n", "line 2 cannot be read"),
        Row(
            "a line of a report has a letter", request + "\n" + changed("00a10308", "00a1O308", in: answer),
            "line 2 cannot be read: “O” in column 19"),
        // Dumps.
        Row(
            "hexdump's row is cut off",
            changed("5f 30 02 81 6b 68  6d 61 63 2d 73 65 63 72  |_2_0..khmac-secr|", "5f 30 02", in: dump),
            "line 3 begins at offset 00000020, but the rows before it have"),
        Row(
            "hexdump's last row is cut off", changed("b1 16 bb 5a  |et.P/.W...G....Z|", "b1", in: dump),
            "the dump ends at offset 00000030 in line 4, but the rows before it have 45 bytes"),
        Row(
            "xxd's last row lacks a byte", "00000000: 00a1 03                                  ....",
            "line 1 cannot be read: it has 3 bytes and 4 characters"),
        // Reports.
        Row(
            "a continuation has the wrong number", long + "\n" + ConversationTests.report("0102030401"),
            "line 2: the sequence number is 1, and continuation 0 was expected"),
        Row("a continuation is missing", long, "the message of 100 bytes lacks its report with sequence number 0"),
        Row(
            "a continuation comes alone", request + "\n" + ConversationTests.report("0102030500"),
            "without the beginning of its message"),
        Row("a report lacks a byte", "SEND: " + request.dropLast(2), "line 1: a report has 64 bytes, not 63"),
        Row("a report has a byte too many", "SEND: " + request + "00", "line 1: a report has 64 bytes, not 65"),
        Row(
            "a report is cut off in its message", long.dropLast(2) + "\n" + ConversationTests.report("0102030400"),
            "line 1: a report has 64 bytes, not 63"),
        Row("a lone report lacks a byte", String(request.dropLast(2)), "a report has 64 bytes, not 63"),
        // Cards.
        Row("Lc is too large", "00a4040009a0000006472f0001", "Lc is 9, but only 8 bytes follow"),
        Row(
            "bytes follow Le", "00a4040008a0000006472f00010000ff",
            "Lc is 8, but 11 bytes follow, more than the data and an Le of 1 byte"),
        Row(
            "a response has no status word", "APDU: 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00\nSW: 55 32 46 5F 56 32",
            "are not a status word"),
        Row("a response is one byte", "APDU: 80 10 00 00 01 04 00\nSW: 90", "at least 2 bytes, the status word, not 1"),
        Row(
            "a response is missing",
            "APDU: 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00\nAPDU: 80 10 00 00 01 04 00\nSW: 69 85",
            "no response to the command before this one"),
        Row(
            "a command is missing",
            "APDU: 00 A4 04 00 08 A0 00 00 06 47 2F 00 01 00\nSW: 55 32 46 5F 56 32 90 00\nSW: 69 85",
            "the input has no command before this response"),
        // Messages.
        Row(
            "the authenticator data of fido2-assert ends early",
            "\(tool)\(InputTests.standard(InputTests.wrapped(InputTests.assertion).dropLast(3)))\nMAYCAQECAQI=\n",
            "the byte string of 37 bytes ends after 34"),
        Row(
            "the authenticator data of fido2-cred ends early",
            "\(tool)packed\n\(InputTests.standard(InputTests.wrapped(InputTests.registration).dropLast(30)))\nAQIDBA==\nMAYCAQECAQI=\n",
            "the byte string of 136 bytes ends after 106"),
        Row(
            "a line of fido2-assert is not base64",
            "\(tool)\(InputTests.standard(InputTests.wrapped(InputTests.assertion)))\n!AYCAQECAQI=\n",
            "line 4 is not base64: it has “!”"),
        Row("a report ends early", "0102030490000604a1", "a report has 64 bytes, not 9"),
        Row("a report of U2F ends early", "010203048300070003000000", "a report has 64 bytes, not 12"),
        Row("a message ends early", "06a2010102", "the input ends inside an item, at byte 4"),
        Row(
            "getInfo ends early", String(("00" + KindTests.info).dropLast(40)),
            "counted after the first byte, in options (0x04)"),
        Row(
            "an attestation object ends early", "a363666d74646e6f6e656761747453746d74a068617574684461746158885a5a",
            "in authData"),
        Row(
            "a response of U2F ends early", "APDU: 00 01 03 00 00 00 00\nSW: 05 04 6B 90 00",
            "the message ends early, in publicKey at byte 1 of the data"),
        Row("authenticator data ends early", String(KindTests.registrationData.dropLast(20)), "ends inside an item"),
    ]

    @Test(arguments: rows)
    func theDamageIsNamed(row: Row) throws {
        let decoded = try KindTests.decode(row.text)
        let problems = decoded.parts.flatMap(\.problems)
        #expect(problems.contains { $0.isDamage && $0.text.contains(row.problem) }, "\(problems.map(\.text))")
        #expect(decoded.isDamaged)
    }

    /// Every digit of a log, removed: the damage is never silent.
    @Test func noMissingDigitIsSilent() throws {
        let texts = [
            Self.log, Self.journal(Self.log), ConversationTests.pcscd, ConversationTests.pythonHID,
            ConversationTests.windows,
        ]
        for text in texts {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            // The lines that end with bytes; the frames of the reader repeat those of the APDUs.
            let bytes = lines.indices.filter { place in
                let line = lines[place]
                let last = line.split(separator: " ").last.map { $0.hasPrefix("0x") ? $0.dropFirst(2) : $0 } ?? ""
                return last.count >= 2 && last.allSatisfy(\.isHexDigit)
                    && !["=", "->", "Protocol"].contains(where: line.contains)
            }
            #expect(!bytes.isEmpty)
            for place in bytes {
                var changed = lines
                changed[place] = changed[place].dropLast()
                let decoded = try KindTests.decode(changed.joined(separator: "\n"))
                #expect(decoded.isDamaged, "\(lines[place])")
            }
        }
    }

    @Test(arguments: [
        ConversationTests.libfido2, ConversationTests.libfido2Parts, ConversationTests.oldLibfido2,
        ConversationTests.pcscd, dump,
    ])
    func aWholeInputIsNotDamaged(text: String) throws {
        let damage = try KindTests.decode(text).parts.flatMap(\.problems).filter(\.isDamage)
        // The dump is the beginning of a message.
        #expect(damage.allSatisfy { $0.text.contains("ends inside an item") })
        #expect(damage.isEmpty || text == Self.dump)
    }

    @Test func aDamagedMessageShowsTheMembersBeforeTheDamage() throws {
        let described = KindTests.described(
            try KindTests.decode(Self.changed("0048: 8d b9 20", "0048: 8d b9 2O")))
        #expect(described.contains("versions: [U2F_V2, FIDO_2_0]"))
    }

    @Test func aReportWithHidapisNumberIsTaken() throws {
        let decoded = try KindTests.decode("00" + Self.request)
        #expect(decoded.kind == .reports && !decoded.isDamaged)
        #expect(decoded.parts[0].title.contains("with hidapi's report number 0 before it"))
        #expect(try KindTests.decode("00\(Self.request)\n00\(Self.answer)").form.contains("as hidapi has it"))
    }

    @Test func rowsThatHexdumpLeavesOutAreTaken() throws {
        let zeros = Array(repeating: "00", count: 16).joined(separator: " ")
        let decoded = try KindTests.decode(
            """
            00000000  01 02 03 04 90 00 06 06  a2 01 01 02 01 00 00 00  |................|
            00000010  \(zeros)  |................|
            *
            00000040
            """)
        #expect(decoded.kind == .reports && !decoded.isDamaged)
    }

    @Test func aPartHasItsLine() throws {
        let decoded = try KindTests.decode("SEND: \(Self.request)\n\nRECV: \(Self.answer)")
        #expect(decoded.parts.map(\.line) == [1, 3])
    }

    @Test func aDamagedBlockOfDigitsIsRefusedWithItsLine() throws {
        let digits = KindTests.registrationData.filter { $0 != " " }
        let text = "\(digits.prefix(60))\n\(digits.dropFirst(60).prefix(59))O\n\(digits.dropFirst(120))"
        let error = try #require(throws: UndecodableInput.self) { try KindTests.decode(text) }
        #expect(error.description.contains("line 2 cannot be read: “O” in column 60"), "\(error)")
    }
}
