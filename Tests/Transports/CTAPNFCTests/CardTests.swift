import CTAP
import CTAPNFC
import TestSupport
import Testing

/// A card's response to each command.
@Suite("The card", .timeLimit(.minutes(30)))
struct CardTests {
    /// A conversation with a card that has just entered the field.
    struct Conversation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var u2f = false
        var isSelected = true
        let turns: [Turn]
    }

    static let conversations = [
        Conversation(
            testDescription: "a CTAP2 device names its version", isSelected: false,
            turns: [Turn(CardBench.select, "4649444F5F325F30 9000")]),
        Conversation(
            testDescription: "a device with U2F names that", u2f: true, isSelected: false,
            turns: [Turn(CardBench.select, "5532465F5632 9000")]),
        Conversation(
            testDescription: "another application is not there", isSelected: false,
            turns: [Turn("00A4040007 D2760000850101 00", "6A82"), Turn("80100000 0104 00", "6D00")]),
        Conversation(
            testDescription: "part of the name is not the name", isSelected: false,
            turns: [Turn("00A4040005 A000000647 00", "6A82"), Turn("00A40400", "6A82")]),
        Conversation(
            testDescription: "a failed selection leaves the application selected",
            turns: [Turn("00A4040007 D2760000850101 00", "6A82"), Turn("80100000 0104 00", "0004 9000")]),
        Conversation(
            testDescription: "a selection by anything but the name is refused", isSelected: false,
            turns: [Turn("00A4000C02 3F00", "6A86"), Turn("00A4040208 A0000006472F0001 00", "6A86")]),
        Conversation(
            testDescription: "nothing is answered before the selection", u2f: true, isSelected: false,
            turns: [
                Turn("80100000 0104 00", "6D00"), Turn("80110000 00", "6D00"), Turn("80120100", "6D00"),
                Turn("00030000 00", "6D00"), Turn("00C00000 00", "6D00"),
            ]),
        Conversation(
            testDescription: "a message is answered with its status under 9000",
            turns: [Turn("80100000 03040506 00", "00040506 9000"), Turn("80108000 0203AA 00", "06 9000")]),
        Conversation(
            testDescription: "a message without Le is answered all the same",
            turns: [Turn("80100000 0104", "0004 9000"), Turn("80100000 00 0001 04", "0004 9000")]),
        Conversation(
            testDescription: "parts make one message",
            turns: [
                Turn("90108000 020405", "9000"), Turn("90108000 0106", "9000"),
                Turn("80108000 0107 00", "0004050607 9000"),
            ]),
        Conversation(
            testDescription: "another command ends an unfinished chain",
            turns: [
                Turn("90100000 020405", "9000"), Turn("00C00000 00", "6985"), Turn("80100000 0106 00", "0006 9000"),
            ]),
        Conversation(
            testDescription: "a chain with another header is another chain",
            turns: [Turn("90100000 020405", "9000"), Turn("80108000 0106 00", "0006 9000")]),
        Conversation(
            testDescription: "a broken command ends an unfinished chain",
            turns: [
                Turn("90100000 020405", "9000"), Turn("80100000 0906", "6700"), Turn("80100000 0106 00", "0006 9000"),
            ]),
        Conversation(
            testDescription: "only requests come in parts",
            turns: [
                Turn("10A4040008 A0000006472F0001 00", "6884"), Turn("90110000 00", "6884"),
                Turn("10C00000 00", "6884"),
            ]),
        Conversation(
            testDescription: "Le bounds each piece",
            turns: [
                Turn("80100000 0504050607 08 02", "0004 6104"), Turn("00C00000 03", "050607 6101"),
                Turn("80C00000 00", "08 9000"), Turn("00C00000 00", "6985"),
            ]),
        Conversation(
            testDescription: "another command ends an unfetched answer",
            turns: [
                Turn("80100000 03040506 01", "00 6103"), Turn("80100000 0104 00", "0004 9000"),
                Turn("00C00000 00", "6985"),
            ]),
        Conversation(
            testDescription: "a request that has not started has no result",
            turns: [Turn("80110000 00", "6985"), Turn("80111100 00", "6985"), Turn("80112200 00", "6A86")]),
        Conversation(
            testDescription: "reserved bits are refused",
            turns: [
                Turn("80100100 0104 00", "6A86"), Turn("80100001 0104 00", "6A86"), Turn("80120200", "6A86"),
                Turn("00C00100 00", "6A86"),
            ]),
        Conversation(
            testDescription: "END CTAP_MSG ends the selection",
            turns: [
                Turn("80120100", "9000"), Turn("80100000 0104 00", "6D00"),
                Turn(CardBench.select, "4649444F5F325F30 9000"), Turn("80100000 0104 00", "0004 9000"),
            ]),
        Conversation(
            testDescription: "unknown instructions and classes are refused", u2f: true,
            turns: [
                Turn("80130000 00", "6D00"), Turn("00B00000 00", "6D00"), Turn("00100000 0104 00", "6D00"),
                Turn("84100000 0104 00", "6E00"), Turn("80A40400 00", "6D00"), Turn("00040000", "6D00"),
            ]),
        Conversation(
            testDescription: "U2F goes to who answers it", u2f: true,
            turns: [
                Turn("00030000 00", "0003000000 9000"), Turn("00030000", "00030000 9000"),
                Turn("00020300 02AABB 00", "00020300 02AABB00 9000"),
            ]),
        Conversation(
            testDescription: "without U2F its instructions are unknown",
            turns: [Turn("00030000 00", "6D00"), Turn("00010000 00", "6D00")]),
        Conversation(
            testDescription: "broken lengths are refused",
            turns: [Turn("80", "6700"), Turn("80100000 09AA", "6700"), Turn("80100000 000009AA", "6700")]),
    ]

    @Test(arguments: conversations)
    func theCardAnswers(conversation: Conversation) async {
        let bench = await CardBench(u2f: conversation.u2f)
        if conversation.isSelected { _ = await bench.send(CardBench.select) }
        for turn in conversation.turns {
            #expect(await bench.send(turn.command) == turn.response, "to \(turn.command)")
        }
    }

    /// CTAP 2.3 §11.3.3: only getInfo tells a card of both protocols from one of U2F.
    @Test func aCardOfU2FAloneRefusesTheMessagesOfCTAP2() async {
        let bench = await CardBench(u2f: true, ctap2: false)
        for turn in [
            Turn(CardBench.select, "5532465F5632 9000"), Turn("80100000 0104 00", "6E00"),
            Turn("80110000 00", "6E00"), Turn("80120100", "6E00"), Turn("00030000 00", "00030000 00 9000"),
        ] {
            #expect(await bench.send(turn.command) == turn.response, "to \(turn.command)")
        }
    }

    /// A request of this many bytes; the device answers with it.
    static func request(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 + 5) } }

    /// Sends a request in parts of 255 bytes.
    static func send(_ request: [UInt8], to bench: CardBench, class ctapClass: UInt8 = 0x80, _ header: [UInt8]) async
        -> ResponseAPDU?
    {
        var rest = request[...]
        while rest.count > 255 {
            let part = Array(rest.prefix(255))
            rest = rest.dropFirst(255)
            let response = await bench.card.transmit([ctapClass | 0x10] + header + [UInt8(part.count)] + part)
            guard response == [0x90, 0x00] else { return response.flatMap(ResponseAPDU.init) }
        }
        return await bench.card.transmit([ctapClass] + header + [UInt8(rest.count)] + rest + [0])
            .flatMap(ResponseAPDU.init)
    }

    @Test(arguments: [256, 510, 511, 1024, 7609])
    func aShortCommandGetsALongAnswerInPieces(count: Int) async throws {
        let bench = await CardBench.selected()
        let request = Self.request(count)
        var response = try #require(await Self.send(request, to: bench, [0x10, 0x80, 0]))
        var answer = response.data
        while let more = response.status.moreDataCount {
            let left = count + 1 - answer.count
            #expect(response.data.count == 256)
            #expect(more == min(left, 256))
            response = try #require(
                await bench.card.transmit([0, 0xC0, 0, 0, UInt8(truncatingIfNeeded: more)])
                    .flatMap(ResponseAPDU.init))
            answer += response.data
        }
        #expect(response.status == .noError)
        #expect(answer == [0x00] + request)
    }

    @Test(arguments: [nil, 65536] as [Int?])
    func anExtendedCommandGetsALongAnswerWhole(expected: Int?) async {
        let bench = await CardBench.selected()
        let request = Self.request(7609)
        let command = CommandAPDU(class: 0x80, instruction: 0x10, data: request, expectedLength: expected)
        #expect(await bench.card.transmit(command.encoded) == [0x00] + request + [0x90, 0x00])
    }

    @Test func aRequestThatIsTooLongIsRefusedAtItsEnd() async throws {
        let bench = await CardBench.selected(u2f: true)
        let request = Self.request(7610)
        #expect(await Self.send(request, to: bench, [0x10, 0, 0]) == ResponseAPDU([0x39]))
        let extended = CommandAPDU(class: 0x80, instruction: 0x10, data: request)
        #expect(await bench.card.transmit(extended.encoded) == [0x39, 0x90, 0x00])
        #expect(await Self.send(request, to: bench, class: 0, [0x02, 3, 0]) == ResponseAPDU([], .wrongLength))
        // The card keeps nothing of it.
        #expect(await bench.send("80100000 0104 00") == "00049000")
        #expect(bench.device.events == ["power cycle", "request 4"])
    }

    @Test func aLongU2FRequestReachesItsHandlerWhole() async throws {
        let bench = await CardBench.selected(u2f: true)
        let request = Self.request(300)
        let response = try #require(await Self.send(request, to: bench, class: 0, [0x02, 3, 0]))
        let whole = U2FRequest(instruction: .authenticate, parameter: 3, data: request)
        let handed = CommandAPDU(class: 0, instruction: 2, parameter1: 3, data: request, expectedLength: 256).encoded
        #expect(try U2FRequest(parsing: handed) == whole)
        #expect(response.data == Array(handed.prefix(256)))
        #expect(response.status == .moreData(UInt8(handed.count - 256)))
    }

    @Test func aCardWithoutExtendedLengthsRefusesThem() async {
        var configuration = NFCCard.Configuration()
        configuration.supportsExtendedLength = false
        let bench = await CardBench.selected(configuration: configuration)
        #expect(await bench.send("80100000 000001 04 0000") == "6700")
        #expect(await bench.send("80100000 01 04 00") == "00049000")
    }
}
