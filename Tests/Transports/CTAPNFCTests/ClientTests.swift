import CTAP
import CTAPNFC
import Synchronization
import TestSupport
import Testing

/// The client on the reader's side, with scripted cards and the virtual card.
@Suite("The client", .timeLimit(.minutes(30)))
struct ClientTests {
    static let request = "80108000 0104 00"

    /// A card's responses to getInfo and the outcome.
    struct Answer: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let turns: [Turn]
        var error: CTAPDeviceError?
    }

    static let answers = [
        Answer(testDescription: "in one piece", turns: [Turn(request, "00A0 9000")]),
        Answer(
            testDescription: "in pieces", turns: [Turn(request, "00 6101"), Turn("00C00000 01", "A0 9000")]),
        Answer(
            testDescription: "in pieces of the card's choosing",
            turns: [Turn(request, "6100"), Turn("00C00000 00", "00 6120"), Turn("00C00000 20", "A0 9000")]),
        Answer(
            testDescription: "after a while",
            turns: [
                Turn(request, "01 9100"), Turn("80110000 00", "01 9100"), Turn("80110000 00", "02 9100"),
                Turn("80110000 00", "00A0 9000"),
            ]),
        Answer(
            testDescription: "with a status of a later specification",
            turns: [Turn(request, "07 9100"), Turn("80110000 00", "00A0 9000")]),
        Answer(
            testDescription: "a refusal", turns: [Turn(request, "6D00")],
            error: .protocolViolation("the card answered NFCCTAP_MSG with INS_NOT_SUPPORTED (0x6D00)")),
        Answer(
            testDescription: "no status", turns: [Turn(request, "9000")],
            error: .protocolViolation("the card answered without a status")),
        Answer(
            testDescription: "no status word", turns: [Turn(request, "90")],
            error: .protocolViolation("a response with 1 byte, too short for a status word")),
        Answer(
            testDescription: "nothing", turns: [Turn(request, "")],
            error: .protocolViolation("a response with no bytes, too short for a status word")),
        Answer(
            testDescription: "an update without a status", turns: [Turn(request, "9100")],
            error: .protocolViolation("a status update (9100) without a status")),
        Answer(
            testDescription: "a promise that is not kept",
            turns: [Turn(request, "00 6110"), Turn("00C00000 10", "6110")],
            error: .protocolViolation("the card announced more bytes (16) and sent none")),
        Answer(
            testDescription: "an error in the middle",
            turns: [Turn(request, "00 6110"), Turn("00C00000 10", "6F00")],
            error: .protocolViolation("the card answered GET RESPONSE with 0x6F00")),
        Answer(
            testDescription: "a removal in the middle", turns: [Turn(request, "00 6110")],
            error: .disconnected("the card was removed")),
    ]

    @Test(arguments: answers)
    func anAnswerIsAssembledOrItsErrorExplained(answer: Answer) async throws {
        let channel = ScriptedChannel(answer.turns)
        let client = try await NFCClient.select(over: channel, configuration: Self.impatient)
        do throws(CTAPDeviceError) {
            let bytes = try await client.transceive([0x04])
            #expect(answer.error == nil)
            #expect(bytes == [0x00, 0xA0])
        } catch {
            #expect(error == answer.error)
        }
        #expect(channel.problems.isEmpty)
    }

    /// Asks again without a pause.
    static var impatient: NFCClient.Configuration {
        var configuration = NFCClient.Configuration()
        configuration.pollInterval = .zero
        return configuration
    }

    @Test(arguments: [
        (
            "6A82",
            CTAPDeviceError.disconnected("the card has no FIDO application (SELECT was answered NOT_FOUND (0x6A82))")
        ),
        ("6F00", .protocolViolation("the card answered SELECT with 0x6F00")),
        ("9000", .protocolViolation("SELECT was answered with a version that is neither U2F_V2 nor FIDO_2_0")),
    ])
    func aFailedSelectionIsExplained(response: String, error: CTAPDeviceError) async {
        struct Channel: APDUChannel {
            let response: String
            func transmit(_ apdu: [UInt8]) async -> [UInt8] { [UInt8](hex: response) }
        }
        await #expect(throws: error) { try await NFCClient.select(over: Channel(response: response)) }
    }

    @Test func onlyStatusChangesAreReported() async throws {
        let poll = "80110000 00"
        let channel = ScriptedChannel([
            Turn(Self.request, "01 9100"), Turn(poll, "01 9100"), Turn(poll, "02 9100"), Turn(poll, "01 9100"),
            Turn(poll, "00 9000"),
        ])
        let client = try await NFCClient.select(over: channel, configuration: Self.impatient)
        let told = Mutex<[KeepaliveStatus]>([])
        _ = try await client.transceive([0x04]) { status in told.withLock { $0.append(status) } }
        #expect(told.withLock { $0 } == [.processing, .userPresenceNeeded, .processing])
    }

    @Test(arguments: NFCClient.Configuration.Lengths.allCases, [true, false])
    func longMessagesWorkInBothForms(lengths: NFCClient.Configuration.Lengths, isSupported: Bool) async throws {
        var configuration = NFCCard.Configuration()
        configuration.supportsExtendedLength = isSupported
        let bench = await CardBench(configuration: configuration)
        let channel = DirectChannel(bench.card)
        var client = NFCClient.Configuration()
        client.lengths = lengths
        let device = try await NFCClient.select(over: channel, configuration: client)
        for count in [1, 255, 256, 300, 511, 7609] {
            let message = [0x05] + [UInt8](repeating: 7, count: count - 1)
            #expect(try await device.transceive(message) == [0x00] + message)
        }
        let commands = try channel.commands.map { try CommandAPDU(parsing: $0) }
        let extended = commands.count(where: \.isExtended)
        // After a refused extended command the client sends no other.
        #expect(extended == (lengths == .short ? 0 : isSupported ? 4 : 1))
        #expect(commands.contains { $0.instructionClass == 0x90 } == (lengths == .short || !isSupported))
    }

    @Test func aCardWithoutChainingGetsExtendedCommands() async throws {
        let message = [UInt8](repeating: 4, count: 300)
        let part = "90108000 FF" + Array(message.prefix(255)).hex
        let whole = "80108000 00012C" + message.hex + "0000"
        let channel = ScriptedChannel([Turn(part, "6884"), Turn(whole, "00 9000"), Turn(whole, "00 9000")])
        let client = try await NFCClient.select(over: channel)
        for _ in 1...2 { #expect(try await client.transceive(message) == [0x00]) }
        #expect(channel.problems.isEmpty)
    }

    @Test func cancellingTheTaskCancelsTheRequest() async throws {
        let bench = await CardBench()
        let channel = DirectChannel(NFCCard(device: bench.device))
        await channel.card.powerOn()
        let client = try await NFCClient.select(over: channel, configuration: Self.impatient)
        let task = Task { try await client.transceive([0x01]) }
        await CardWaitTests.waitUntilBegun("request 1", on: bench)
        task.cancel()
        #expect(try await task.value == [0x2D])
        let cancels = channel.commands.count { $0[1] == 0x11 && $0[2] == 0x11 }
        #expect(cancels == 1)
    }

    @Test func aCardThatIgnoresTheCancelIsAbandoned() async throws {
        struct Channel: APDUChannel {
            func transmit(_ apdu: [UInt8]) async -> [UInt8] {
                apdu[1] == 0xA4 ? Array("FIDO_2_0".utf8) + [0x90, 0x00] : [0x02, 0x91, 0x00]
            }
        }
        let client = try await NFCClient.select(over: Channel(), configuration: Self.impatient)
        let task = Task { try await client.transceive([0x01]) }
        task.cancel()
        await #expect(throws: CTAPDeviceError.timedOut("the card did not stop after the request was cancelled")) {
            try await task.value
        }
    }

    @Test func requestsAreSentOneAfterTheOther() async throws {
        let bench = await CardBench()
        let client = try await NFCClient.select(over: DirectChannel(bench.card))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in UInt8(10)..<30 {
                let message = [UInt8](repeating: value, count: 600)
                group.addTask {
                    let answer = try await client.transceive(message)
                    #expect(answer == [0x00] + message)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func u2fMessagesHaveTheFormThatTheCardSupports() async throws {
        let bench = await CardBench(u2f: true)
        let client = try await NFCClient.select(over: DirectChannel(bench.card))
        #expect(await client.supportsU2F)
        let request = U2FRequest(instruction: .version)
        #expect(try await client.answerU2F(request.encoded).hex == "0003000000" + "9000")
        await #expect(throws: CTAPDeviceError.self) { try await client.answerU2F([0, 3]) }
    }

    @Test func aDeselectedCardNeedsASelection() async throws {
        let bench = await CardBench()
        let client = try await NFCClient.select(over: DirectChannel(bench.card))
        try await client.deselect()
        await #expect(
            throws: CTAPDeviceError.protocolViolation("the card answered NFCCTAP_MSG with INS_NOT_SUPPORTED (0x6D00)")
        ) {
            try await client.transceive([0x04])
        }
        try await client.select()
        #expect(try await client.transceive([0x04]) == [0x00, 0x04])
    }
}
