import Testing
import Transports

@testable import CTAPHID

@Suite("Channels of the CTAPHID server")
struct ServerChannelTests {
    @Test func initOnBroadcastEchoesTheNonceAndAllocatesAChannel() throws {
        var bench = ServerBench {
            $0.deviceVersion = CTAPHIDDeviceVersion(major: 5, minor: 7, build: 1)
            $0.capabilities = [.cbor, .wink, .noMessage]
        }
        let nonce: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
        let answer = try #require(try sent(bench.receive(.initialize, nonce, on: .broadcast, from: 9)).first)
        #expect(answer.channel == .broadcast)
        #expect(answer.command == .initialize)
        #expect(answer.peer == 9)
        #expect(answer.payload.count == 17)
        #expect(Array(answer.payload[..<8]) == nonce)
        #expect(Array(answer.payload[12...]) == [2, 5, 7, 1, 0x0D])
        let channel = try #require(CTAPHIDInitialization(payload: answer.payload)).channel
        #expect(channel != .reserved && channel != .broadcast)
    }

    @Test func everyClientGetsItsOwnChannel() throws {
        var bench = ServerBench { $0.servesUnknownChannels = false }
        var channels: Set<CTAPHIDChannel> = []
        for _ in 0..<200 { channels.insert(try bench.allocate()) }
        #expect(channels.count == 200)
        for channel in channels {
            #expect(try sent(bench.receive(.ping, [1], on: channel)).map(\.command) == [.ping])
        }
    }

    @Test(arguments: [7, 9, 0])
    func initWithANonceOfAnotherLengthIsAnInvalidLength(count: Int) throws {
        var bench = ServerBench()
        let answer = try sent(bench.receive(.initialize, payload(count), on: .broadcast))
        #expect(answer == errorMessage(.invalidLength, on: .broadcast))
    }

    @Test(arguments: [CTAPHIDCommand.ping, .cbor, .initialize, .cancel, .wink])
    func channelZeroIsInvalidForEveryCommand(command: CTAPHIDCommand) throws {
        var bench = ServerBench()
        let answer = try sent(bench.receive(command, payload(8), on: .reserved))
        #expect(answer == errorMessage(.invalidChannel, on: .reserved))
    }

    @Test(arguments: [CTAPHIDCommand.ping, .cbor, .cancel, .wink, .message, .lock])
    func theBroadcastChannelIsInvalidForEverythingButInit(command: CTAPHIDCommand) throws {
        var bench = ServerBench()
        let answer = try sent(bench.receive(command, payload(8), on: .broadcast))
        #expect(answer == errorMessage(.invalidChannel, on: .broadcast))
    }

    @Test(arguments: [CTAPHIDCommand.ping, .cbor, .initialize, .wink])
    func anUnallocatedChannelIsInvalidUnlessUnknownOnesAreServed(command: CTAPHIDCommand) throws {
        let body = command == .wink ? [] : payload(8)
        var strict = ServerBench { $0.servesUnknownChannels = false }
        #expect(try sent(strict.receive(command, body)) == errorMessage(.invalidChannel))
        var lenient = ServerBench()
        let actions = try lenient.receive(command, body)
        #expect(!actions.isEmpty)
        #expect(try sent(actions).allSatisfy { $0.command == command })
    }

    @Test func initOnAChannelAnswersWithThatChannel() throws {
        var bench = ServerBench { $0.servesUnknownChannels = false }
        let channel = try bench.allocate()
        let answer = try #require(try sent(bench.receive(.initialize, payload(8), on: channel)).first)
        #expect(answer.channel == channel)
        #expect(CTAPHIDInitialization(payload: answer.payload)?.channel == channel)
        #expect(bench.server.channels.count == 1)
    }

    @Test func aFloodOfInitsCannotGrowTheTable() throws {
        var bench = ServerBench { $0.channelLimit = 8 }
        for _ in 0..<10_000 { _ = try bench.allocate() }
        #expect(bench.server.channels.count == 8)
    }

    @Test func theLeastRecentlyUsedChannelIsReplaced() throws {
        var bench = ServerBench {
            $0.channelLimit = 3
            $0.servesUnknownChannels = false
        }
        let channels = [try bench.allocate(), try bench.allocate(), try bench.allocate()]
        _ = try bench.receive(.ping, on: channels[0])
        let newcomer = try bench.allocate()
        for channel in [channels[0], channels[2], newcomer] {
            #expect(try sent(bench.receive(.ping, on: channel)).map(\.command) == [.ping])
        }
        #expect(try sent(bench.receive(.ping, on: channels[1])) == errorMessage(.invalidChannel, on: channels[1]))
    }

    @Test func aChannelInUseIsNeverReplaced() throws {
        var bench = ServerBench {
            $0.channelLimit = 2
            $0.servesUnknownChannels = false
        }
        let busy = try bench.allocate()
        let id = try bench.startCommand(on: busy)
        for _ in 0..<5 { _ = try bench.allocate() }
        #expect(try sent(bench.server.answer(id, with: [0], now: bench.now)).map(\.channel) == [busy])
        #expect(try sent(bench.receive(.ping, on: busy)).map(\.command) == [.ping])
    }

    @Test func channelsAllocatedBeforeAPowerCycleAreServedAfterIt() throws {
        var bench = ServerBench {
            $0.servesUnknownChannels = false
            $0.recognizesPowerCycleReport = true
        }
        let channel = try bench.allocate()
        #expect(bench.server.receive(PowerCycleReport.bytes, from: 1, now: bench.now) == [.powerCycle])
        #expect(try sent(bench.receive(.ping, [1], on: channel)).map(\.payload) == [[1]])
    }

    @Test func aPowerCycleDropsTheRunningCommandAndItsAnswer() throws {
        var bench = ServerBench { $0.recognizesPowerCycleReport = true }
        let id = try bench.startCommand()
        #expect(bench.server.receive(PowerCycleReport.bytes, from: 2, now: bench.now) == [.cancel(id), .powerCycle])
        #expect(bench.server.answer(id, with: [0x2D], now: bench.now).isEmpty)
        #expect(bench.server.deadline == nil)
    }

    @Test func aPowerCycleDropsAnUnfinishedMessageAndTheLock() throws {
        var bench = ServerBench { $0.recognizesPowerCycleReport = true }
        _ = try bench.receive(.lock, [10], on: ServerBench.alice)
        _ = bench.beginMessage()
        #expect(bench.server.powerCycle() == [.powerCycle])
        #expect(bench.server.deadline == nil)
        #expect(try sent(bench.receive(.ping, [1], on: ServerBench.bob)).map(\.command) == [.ping])
    }

    @Test func thePowerCycleReportIsIgnoredWhereItIsNotRecognized() throws {
        var bench = ServerBench { $0.servesUnknownChannels = false }
        let channel = CTAPHIDChannel(rawValue: 0xAC10_52CA)
        let actions = bench.server.receive(PowerCycleReport.bytes, from: 1, now: bench.now)
        #expect(try sent(actions) == errorMessage(.invalidChannel, on: channel))
    }
}
