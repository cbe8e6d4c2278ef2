import TestSupport
import Testing
import Transports

@testable import CTAPHID

@Suite("Transactions of the CTAPHID server")
struct ServerTransactionTests {
    static func continuation(_ sequence: UInt8, on channel: CTAPHIDChannel = ServerBench.alice) -> CTAPHIDPacket {
        CTAPHIDPacket(channel: channel, header: .continuation(sequence: sequence), data: payload(59))
    }

    // MARK: Sequence

    @Test(arguments: [1, 2, 127] as [UInt8])
    func aContinuationOutOfOrderIsAnInvalidSequenceAndEndsTheMessage(sequence: UInt8) throws {
        var bench = ServerBench()
        _ = bench.beginMessage(declaring: 300)
        #expect(try sent(bench.receive(Self.continuation(sequence))) == errorMessage(.invalidSequence))
        #expect(bench.receive(Self.continuation(0)).isEmpty)
        #expect(bench.server.deadline == nil)
    }

    @Test func aContinuationSentTwiceIsAnInvalidSequence() throws {
        var bench = ServerBench()
        _ = bench.beginMessage(declaring: 300)
        #expect(bench.receive(Self.continuation(0)).isEmpty)
        #expect(try sent(bench.receive(Self.continuation(0))) == errorMessage(.invalidSequence))
    }

    @Test func aContinuationWithoutAMessageIsIgnored() throws {
        var bench = ServerBench()
        #expect(bench.receive(Self.continuation(0)).isEmpty)
        #expect(bench.receive(Self.continuation(0, on: .reserved)).isEmpty)
        let id = try bench.startCommand()
        #expect(bench.receive(Self.continuation(0)).isEmpty)
        #expect(bench.server.runs(id))
    }

    @Test func aContinuationOnAnotherChannelDoesNotDisturbTheMessage() throws {
        var bench = ServerBench()
        _ = bench.beginMessage(declaring: 100)
        #expect(bench.receive(Self.continuation(0, on: ServerBench.bob)).isEmpty)
        #expect(try sent(bench.receive(Self.continuation(0))).map(\.payload.count) == [100])
    }

    @Test func aNewMessageDuringAnotherIsAnInvalidSequenceAndEndsIt() throws {
        var bench = ServerBench()
        _ = bench.beginMessage(declaring: 100)
        #expect(try sent(bench.receive(.ping, [1])) == errorMessage(.invalidSequence))
        #expect(bench.receive(Self.continuation(0)).isEmpty)
        #expect(try sent(bench.receive(.ping, [1])).map(\.payload) == [[1]])
    }

    @Test func aMessageDeclaredTooLongIsAnInvalidLength() throws {
        for length in [7610, 0xFFFF] as [UInt16] {
            var bench = ServerBench()
            #expect(try sent(bench.beginMessage(declaring: length)) == errorMessage(.invalidLength))
            #expect(bench.server.deadline == nil)
        }
    }

    @Test(arguments: [0, 1, 63, 65, 1000])
    func aReportOfAnotherSizeIsIgnored(count: Int) {
        var bench = ServerBench()
        #expect(bench.server.receive([UInt8](repeating: 0xFF, count: count), from: 1, now: .zero).isEmpty)
    }

    // MARK: INIT during a transaction

    @Test func initAbortsAnUnfinishedMessageOfItsChannel() throws {
        var bench = ServerBench()
        _ = bench.beginMessage()
        let answer = try sent(bench.receive(.initialize, payload(8)))
        #expect(answer.map(\.command) == [.initialize])
        #expect(bench.server.deadline == nil)
        #expect(bench.receive(Self.continuation(0)).isEmpty)
    }

    @Test func initAbortsTheRunningCommandOfItsChannelAndDropsItsAnswer() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        let actions = try bench.receive(.initialize, payload(8))
        #expect(actions.first == .cancel(id))
        #expect(try sent(actions).map(\.command) == [.initialize])
        #expect(bench.server.answer(id, with: [0x2D], now: bench.now).isEmpty)
        let next = try bench.startCommand()
        #expect(next != id)
        #expect(bench.server.answer(id, with: [0x2D], now: bench.now).isEmpty)
        #expect(bench.server.answer(next, with: [0], now: bench.now).count == 1)
    }

    /// Only the broadcast channel is served during a transaction (CTAP 2.3 §11.2.5.1, §11.2.9.1.3).
    @Test(arguments: [(ServerBench.bob, false), (ServerBench.bob, true), (.broadcast, false)])
    func initOnAnotherChannelIsBusyUnlessItIsAQuirkOrAsksForAChannel(
        channel: CTAPHIDChannel, hasQuirk: Bool
    ) throws {
        var bench = ServerBench()
        bench.server.answersInitWhileBusy = hasQuirk
        let isServed = hasQuirk || channel == .broadcast
        func expectAnswer(_ actions: [CTAPHIDServerAction<Int>]) throws {
            if isServed {
                #expect(try sent(actions).map(\.command) == [.initialize])
            } else {
                #expect(try sent(actions) == errorMessage(.channelBusy, on: channel))
            }
        }
        let id = try bench.startCommand()
        try expectAnswer(bench.receive(.initialize, payload(8), on: channel))
        #expect(bench.server.runs(id))
        _ = bench.server.answer(id, with: [0], now: bench.now)
        _ = bench.beginMessage()
        try expectAnswer(bench.receive(.initialize, payload(8), on: channel))
        #expect(try sent(bench.receive(Self.continuation(0))).map(\.command) == [.ping])
    }

    @Test func initOnAnotherChannelIsBusyDuringALock() throws {
        var bench = ServerBench()
        _ = try bench.receive(.lock, [10], on: ServerBench.alice)
        let answer = try sent(bench.receive(.initialize, payload(8), on: ServerBench.bob))
        #expect(answer == errorMessage(.channelBusy, on: ServerBench.bob))
    }

    @Test func aMalformedInitAbortsNothing() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        #expect(try sent(bench.receive(.initialize, payload(7))) == errorMessage(.invalidLength))
        #expect(bench.server.runs(id))
    }

    // MARK: Busy

    @Test func anotherChannelIsBusyWhileAMessageIsAssembled() throws {
        var bench = ServerBench()
        _ = bench.beginMessage(declaring: 100)
        let refusal = try sent(bench.receive(.ping, [1], on: ServerBench.bob, from: 2))
        #expect(refusal == errorMessage(.channelBusy, on: ServerBench.bob, to: 2))
        let echo = try sent(bench.receive(Self.continuation(0)))
        #expect(echo.map(\.channel) == [ServerBench.alice])
        #expect(echo.map(\.peer) == [1])
    }

    @Test(arguments: [CTAPHIDCommand.ping, .cbor, .wink, .lock, .message])
    func anotherChannelIsBusyWhileACommandRuns(command: CTAPHIDCommand) throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        let refusal = try sent(bench.receive(command, [1], on: ServerBench.bob, from: 2))
        #expect(refusal == errorMessage(.channelBusy, on: ServerBench.bob, to: 2))
        #expect(bench.server.runs(id))
        #expect(try sent(bench.server.answer(id, with: [0], now: bench.now)).map(\.peer) == [1])
    }

    @Test func theSameChannelIsBusyWhileItsCommandRuns() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        #expect(try sent(bench.receive(.cbor, [4])) == errorMessage(.channelBusy))
        #expect(bench.server.runs(id))
    }

    @Test func aMessageRefusedAsBusyIsRefusedOnce() throws {
        var bench = ServerBench()
        _ = try bench.startCommand()
        let refusals = try sent(bench.receive(.ping, payload(1000), on: ServerBench.bob))
        #expect(refusals == errorMessage(.channelBusy, on: ServerBench.bob))
    }

    // MARK: Time-out

    @Test func anUnfinishedMessageTimesOutAfterHalfASecondAndGoesToItsSender() throws {
        var bench = ServerBench()
        _ = bench.beginMessage(from: 7)
        #expect(bench.server.tick(now: .milliseconds(499)).isEmpty)
        #expect(try sent(bench.passDeadline()) == errorMessage(.messageTimeout, to: 7))
        #expect(bench.now == .milliseconds(500))
        #expect(bench.server.deadline == nil)
        #expect(bench.receive(Self.continuation(0)).isEmpty)
    }

    @Test func eachPacketGivesTheMessageAnotherHalfSecond() throws {
        var bench = ServerBench()
        _ = bench.beginMessage(declaring: 300)
        bench.now = .milliseconds(400)
        #expect(bench.receive(Self.continuation(0)).isEmpty)
        #expect(bench.server.deadline == .milliseconds(900))
    }

    @Test func anOverdueDeadlineComesBeforeTheNextReport() throws {
        var bench = ServerBench()
        _ = bench.beginMessage()
        bench.now = .seconds(2)
        let answers = try sent(bench.receive(.ping, [1], on: ServerBench.bob, from: 2))
        #expect(answers.map(\.command) == [.error, .ping])
        #expect(answers.map(\.peer) == [1, 2])
    }

    // MARK: Random reports

    @Test func fiftyThousandRandomReportsNeitherTrapNorGrowTheDevice() {
        var bench = ServerBench {
            $0.capabilities = [.cbor, .wink]
            $0.recognizesPowerCycleReport = true
            $0.channelLimit = 16
        }
        var random = SplitMix64(state: 0x70C5_7013)
        let channels: [UInt32] = [0, 1, 2, 3, 0xFFFF_FFFF, 0xA11C_E000]
        let commands: [UInt8] = [0x81, 0x83, 0x84, 0x86, 0x88, 0x90, 0x91, 0xBB, 0xBF, 0, 1, 2, 3]
        let lengths: [UInt16] = [0, 1, 8, 57, 58, 200, 7609, 7610, 0xFFFF]
        var running: [CTAPHIDRequest.ID] = []
        var kinds: Set<CTAPHIDCommand> = []
        for _ in 0..<Ring.rounds(50_000) {
            var report = (0..<64).map { _ in UInt8.random(in: .min ... .max, using: &random) }
            if Int.random(in: 0..<8, using: &random) > 0 {
                let channel = channels.randomElement(using: &random) ?? 0
                let length = lengths.randomElement(using: &random) ?? 0
                report[0] = UInt8(truncatingIfNeeded: channel >> 24)
                report[1] = UInt8(truncatingIfNeeded: channel >> 16)
                report[2] = UInt8(truncatingIfNeeded: channel >> 8)
                report[3] = UInt8(truncatingIfNeeded: channel)
                report[4] = commands.randomElement(using: &random) ?? 0
                report[5] = UInt8(truncatingIfNeeded: length >> 8)
                report[6] = UInt8(truncatingIfNeeded: length)
            }
            bench.now += .milliseconds(Int.random(in: 0..<40, using: &random))
            var actions = bench.server.receive(report, from: 1, now: bench.now)
            if let id = running.last, Int.random(in: 0..<4, using: &random) == 0 {
                actions += bench.server.answer(id, with: [0], now: bench.now)
            }
            for action in actions {
                switch action {
                case .start(let request): running = [request.id]
                case .send(let packets, _):
                    #expect((1...129).contains(packets.count))
                    if case .initialization(let command, _)? = packets.first?.header { kinds.insert(command) }
                default: break
                }
            }
            #expect(bench.server.channels.count <= 16)
        }
        // The random reports must reach the cases of interest.
        #expect(kinds == [.ping, .message, .lock, .initialize, .wink, .cbor, .keepalive, .error])
    }
}
