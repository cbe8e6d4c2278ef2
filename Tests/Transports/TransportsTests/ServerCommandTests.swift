import CTAP
import Testing
import Transports

@testable import CTAPHID

@Suite("Commands of the CTAPHID server")
struct ServerCommandTests {
    @Test(arguments: [0, 1, 57, 58, 116, 117, 1024, 7608, 7609])
    func pingReturnsItsBytes(count: Int) throws {
        var bench = ServerBench()
        let expected = Sent(channel: ServerBench.alice, command: .ping, payload: payload(count), peer: 4)
        #expect(try sent(bench.receive(.ping, payload(count), from: 4)) == [expected])
        #expect(bench.server.deadline == nil)
    }

    @Test func cborReachesTheDeviceAndItsAnswerTheSender() throws {
        var bench = ServerBench()
        let actions = try bench.receive(.cbor, payload(300), from: 3)
        guard case .start(let request) = try #require(actions.first) else {
            throw BenchError("nothing was started")
        }
        #expect(actions.count == 1)
        #expect(request.kind == .cbor)
        #expect(request.channel == ServerBench.alice)
        #expect(request.payload == payload(300))
        #expect(bench.server.runs(request.id))
        let answer = try sent(bench.server.answer(request.id, with: payload(500), now: bench.now))
        #expect(answer == [Sent(channel: ServerBench.alice, command: .cbor, payload: payload(500), peer: 3)])
        #expect(!bench.server.runs(request.id))
    }

    @Test func anAnswerIsSentOnce() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        #expect(bench.server.answer(id, with: [0], now: bench.now).count == 1)
        #expect(bench.server.answer(id, with: [0], now: bench.now).isEmpty)
        #expect(bench.server.fail(id, with: .other, now: bench.now).isEmpty)
    }

    @Test(arguments: [CTAPHIDCommand.cbor, .message])
    func aMessageForTheDeviceMustNotBeEmpty(command: CTAPHIDCommand) throws {
        var bench = ServerBench { $0.capabilities = [.cbor] }
        #expect(try sent(bench.receive(command)) == errorMessage(.invalidLength))
    }

    @Test(arguments: [0, 7610])
    func anAnswerThatCannotBeSentBecomesErrOther(count: Int) throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        #expect(try sent(bench.server.answer(id, with: payload(count), now: bench.now)) == errorMessage(.other))
    }

    @Test func aFailureOfTheDeviceIsSentAsError() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        #expect(try sent(bench.server.fail(id, with: .channelBusy, now: bench.now)) == errorMessage(.channelBusy))
        #expect(try sent(bench.receive(.ping, [1])).map(\.command) == [.ping])
    }

    @Test func aU2FMessageReachesItsHandlerAndIsUnknownWithoutOne() throws {
        var without = ServerBench()
        #expect(try sent(without.receive(.message, [0, 3, 0, 0])) == errorMessage(.invalidCommand))
        var with = ServerBench { $0.capabilities = [.cbor] }
        guard case .start(let request) = try #require(try with.receive(.message, [0, 3, 0, 0]).first) else {
            throw BenchError("nothing was started")
        }
        #expect(request.kind == .message)
        let answer = try sent(with.server.answer(request.id, with: [0x90, 0], now: with.now))
        #expect(answer.map(\.command) == [.message])
    }

    @Test func aCommandThatIsNotAdvertisedIsNotServed() throws {
        var bench = ServerBench {
            $0.capabilities = [.noMessage]
            $0.supportsLock = false
        }
        let requests: [(CTAPHIDCommand, [UInt8])] = [(.wink, []), (.cbor, [4]), (.message, [0]), (.lock, [1])]
        for (command, body) in requests {
            #expect(try sent(bench.receive(command, body)) == errorMessage(.invalidCommand))
        }
    }

    @Test(arguments: [0x00, 0x02, 0x05, 0x3B, 0x3C, 0x3F, 0x40, 0x7F] as [UInt8])
    func anUnknownCommandOrOneThatOnlyDevicesSendIsInvalid(number: UInt8) throws {
        var bench = ServerBench()
        #expect(try sent(bench.receive(CTAPHIDCommand(rawValue: number), [1])) == errorMessage(.invalidCommand))
    }

    @Test func winkIsShownAndAnsweredEmpty() throws {
        var bench = ServerBench()
        let actions = try bench.receive(.wink)
        #expect(actions.first == .wink)
        #expect(try sent(actions) == [Sent(channel: ServerBench.alice, command: .wink, payload: [], peer: 1)])
        #expect(try sent(bench.receive(.wink, [1])) == errorMessage(.invalidLength))
    }

    // MARK: CANCEL

    @Test func cancelReachesTheRunningCommandAndHasNoAnswerOfItsOwn() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        #expect(try bench.receive(.cancel) == [.cancel(id)])
        #expect(bench.server.runs(id))
        let answer = try sent(bench.server.answer(id, with: [0x2D], now: bench.now))
        #expect(answer == [Sent(channel: ServerBench.alice, command: .cbor, payload: [0x2D], peer: 1)])
    }

    @Test func cancelOnAnotherChannelIsIgnored() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        #expect(try bench.receive(.cancel, on: ServerBench.bob).isEmpty)
        #expect(bench.server.runs(id))
    }

    @Test func cancelWithNothingRunningIsIgnored() throws {
        var bench = ServerBench()
        #expect(try bench.receive(.cancel).isEmpty)
        _ = bench.beginMessage()
        #expect(try bench.receive(.cancel).isEmpty)
        let rest = CTAPHIDPacket(
            channel: ServerBench.alice, header: .continuation(sequence: 0), data: Array(payload(100)[57...]))
        #expect(try sent(bench.receive(rest)).map(\.payload) == [payload(100)])
    }

    // MARK: LOCK

    @Test func aLockKeepsOtherChannelsOutUntilItEnds() throws {
        var bench = ServerBench()
        #expect(try sent(bench.receive(.lock, [3])).map(\.payload) == [[]])
        bench.now = .milliseconds(2999)
        #expect(try sent(bench.receive(.ping, on: ServerBench.bob)) == errorMessage(.channelBusy, on: ServerBench.bob))
        #expect(try sent(bench.receive(.ping)).map(\.command) == [.ping])
        bench.now = .seconds(3)
        #expect(try sent(bench.receive(.ping, on: ServerBench.bob)).map(\.command) == [.ping])
    }

    @Test func aLockOfZeroSecondsReleasesTheLock() throws {
        var bench = ServerBench()
        _ = try bench.receive(.lock, [10])
        _ = try bench.receive(.lock, [0])
        #expect(try sent(bench.receive(.ping, on: ServerBench.bob)).map(\.command) == [.ping])
    }

    @Test func initOnItsChannelReleasesTheLock() throws {
        var bench = ServerBench()
        _ = try bench.receive(.lock, [10])
        _ = try bench.receive(.initialize, payload(8))
        #expect(try sent(bench.receive(.ping, on: ServerBench.bob)).map(\.command) == [.ping])
    }

    @Test func aLockTakesOneByteOfAtMostTenSeconds() throws {
        var bench = ServerBench()
        #expect(try sent(bench.receive(.lock, [10])).map(\.command) == [.lock])
        #expect(try sent(bench.receive(.lock, [11])) == errorMessage(.invalidParameter))
        #expect(try sent(bench.receive(.lock, [1, 1])) == errorMessage(.invalidLength))
        #expect(try sent(bench.receive(.lock)) == errorMessage(.invalidLength))
    }

    // MARK: KEEPALIVE

    @Test func aWaitForTheUserIsReportedAtOnceAndThenInEveryInterval() throws {
        var bench = ServerBench { $0.keepaliveInterval = .milliseconds(100) }
        let id = try bench.startCommand()
        bench.now = .milliseconds(30)
        let first = bench.server.keepaliveStatus(of: id, is: .userPresenceNeeded, now: bench.now)
        #expect(try sent(first) == keepaliveMessage(.userPresenceNeeded))
        #expect(bench.server.tick(now: .milliseconds(129)).isEmpty)
        for expected in [130, 230, 330] {
            #expect(try sent(bench.passDeadline()) == keepaliveMessage(.userPresenceNeeded))
            #expect(bench.now == .milliseconds(expected))
        }
    }

    @Test func theIntervalIsShorterThanTheAllowedTenthOfASecond() {
        #expect(CTAPHIDServerConfiguration().keepaliveInterval < .milliseconds(100))
    }

    @Test func processingIsReportedOncePerInterval() throws {
        var bench = ServerBench { $0.keepaliveInterval = .milliseconds(100) }
        let id = try bench.startCommand()
        #expect(bench.server.keepaliveStatus(of: id, is: .processing, now: bench.now).isEmpty)
        for expected in [100, 200] {
            #expect(try sent(bench.passDeadline()) == keepaliveMessage(.processing))
            #expect(bench.now == .milliseconds(expected))
        }
        bench.now = .milliseconds(250)
        _ = bench.server.keepaliveStatus(of: id, is: .userPresenceNeeded, now: bench.now)
        bench.now = .milliseconds(260)
        #expect(bench.server.keepaliveStatus(of: id, is: .processing, now: bench.now).isEmpty)
        #expect(try sent(bench.passDeadline()) == keepaliveMessage(.processing))
        #expect(bench.now == .milliseconds(350))
    }

    @Test func aRepeatedStatusIsNoChange() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        #expect(bench.server.keepaliveStatus(of: id, is: .userPresenceNeeded, now: bench.now).count == 1)
        #expect(bench.server.keepaliveStatus(of: id, is: .userPresenceNeeded, now: bench.now).isEmpty)
    }

    @Test func noKeepaliveFollowsTheAnswer() throws {
        var bench = ServerBench()
        let id = try bench.startCommand()
        _ = bench.server.answer(id, with: [0], now: bench.now)
        #expect(bench.server.deadline == nil)
        #expect(bench.server.tick(now: .seconds(1)).isEmpty)
        #expect(bench.server.keepaliveStatus(of: id, is: .userPresenceNeeded, now: .seconds(1)).isEmpty)
    }
}
