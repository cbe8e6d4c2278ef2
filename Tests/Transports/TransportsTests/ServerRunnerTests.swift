import CTAP
import CTAPHID
import TestSupport
import Testing
import Transports

/// A runner that sends into a stream, on a clock that the test advances.
private final class ServerRunnerBench: Sendable {
    let device: ScriptedDevice
    let clock = ManualClock()
    let runner: CTAPHIDServerRunner<Int>
    private let sentMessages = AsyncStream.makeStream(of: Sent.self)

    init(device: ScriptedDevice = ScriptedDevice(), u2f: U2FHandler? = nil) {
        self.device = device
        var configuration = CTAPHIDServerConfiguration()
        configuration.servesUnknownChannels = true
        configuration.recognizesPowerCycleReport = true
        let continuation = sentMessages.continuation
        runner = CTAPHIDServerRunner(device: device, u2f: u2f, configuration: configuration, time: RunnerTime(clock)) {
            reports, peer in
            let packets = reports.compactMap { try? CTAPHIDPacket(report: $0) }
            guard let messages = try? sent([.send(packets, to: peer)]) else { return }
            for message in messages { continuation.yield(message) }
        }
    }

    func send(_ command: CTAPHIDCommand, _ payload: [UInt8] = []) throws {
        for packet in try CTAPHIDMessage(channel: ServerBench.alice, command: command, payload: payload).packets {
            runner.receive(packet.report, from: 1)
        }
    }

    func next() async -> Sent? {
        await sentMessages.stream.first { _ in true }
    }

    /// Waits until the runner's timer waits for this time, then advances the clock to it.
    func pass(_ deadline: Duration, from now: Duration) async {
        _ = await clock.fellAsleep.stream.first { $0 == deadline }
        clock.advance(by: deadline - now)
    }
}

@Suite("The runner of a device", .timeLimit(.minutes(30)))
struct ServerRunnerTests {
    static func message(_ command: CTAPHIDCommand, _ payload: [UInt8]) -> Sent {
        Sent(channel: ServerBench.alice, command: command, payload: payload, peer: 1)
    }

    /// CTAP 2.3 §11.2.9.1.3: CAPABILITY_CBOR and CAPABILITY_NMSG.
    @Test(
        "INIT states which of CBOR and MSG the device answers, and the other one is refused",
        arguments: [(true, false, 0x0D), (true, true, 0x05), (false, true, 0x01)])
    func capabilities(ctap2: Bool, u2f: Bool, byte: UInt8) async throws {
        let handler: U2FHandler = { apdu throws(CTAPDeviceError) in apdu }
        let bench = ServerRunnerBench(device: ScriptedDevice(answersCTAP2: ctap2), u2f: u2f ? handler : nil)
        try bench.send(.initialize, [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(await bench.next()?.payload.last == byte)
        try bench.send(.cbor, [4, 5, 6])
        #expect(await bench.next() == (ctap2 ? Self.message(.cbor, [0, 4, 5, 6]) : Self.message(.error, [1])))
        try bench.send(.message, [7])
        #expect(await bench.next() == (u2f ? Self.message(.message, [7]) : Self.message(.error, [1])))
    }

    @Test func aRequestRunsOnTheDevice() async throws {
        let bench = ServerRunnerBench()
        try bench.send(.cbor, [4, 5, 6])
        #expect(await bench.next() == Self.message(.cbor, [0, 4, 5, 6]))
    }

    @Test func aWaitIsReportedBeforeAnImmediateAnswer() async throws {
        let bench = ServerRunnerBench()
        try bench.send(.cbor, [2])
        #expect(await bench.next() == Self.message(.keepalive, [2]))
        #expect(await bench.next() == Self.message(.cbor, [0]))
    }

    @Test func theKeepaliveIsRepeatedWhileTheCommandRuns() async throws {
        let bench = ServerRunnerBench()
        try bench.send(.cbor, [1])
        #expect(await bench.next() == Self.message(.keepalive, [2]))
        let interval = CTAPHIDServerConfiguration().keepaliveInterval
        for tick in 1...3 {
            await bench.pass(interval * tick, from: interval * (tick - 1))
            #expect(await bench.next() == Self.message(.keepalive, [2]))
        }
        bench.device.touch()
        #expect(await bench.next() == Self.message(.cbor, [0]))
    }

    @Test func anUnfinishedMessageTimesOutByItself() async throws {
        let bench = ServerRunnerBench()
        let first = try CTAPHIDMessage(channel: ServerBench.alice, command: .ping, payload: payload(100)).packets[0]
        bench.runner.receive(first.report, from: 1)
        await bench.pass(.milliseconds(500), from: .zero)
        #expect(await bench.next() == Self.message(.error, [0x05]))
    }

    @Test func aCancelEndsTheTaskOfTheCommand() async throws {
        let bench = ServerRunnerBench()
        try bench.send(.cbor, [1])
        #expect(await bench.next() == Self.message(.keepalive, [2]))
        try bench.send(.cancel)
        #expect(await bench.next() == Self.message(.cbor, [0x2D]))
    }

    @Test func aCancelRightAfterItsRequestStillGetsAnAnswer() async throws {
        let bench = ServerRunnerBench()
        try bench.send(.cbor, [1])
        try bench.send(.cancel)
        var last = await bench.next()
        if last?.command == .keepalive { last = await bench.next() }
        #expect(last == Self.message(.cbor, [0x2D]))
    }

    @Test func theNextCommandWaitsForTheAbortedOne() async throws {
        let bench = ServerRunnerBench()
        try bench.send(.cbor, [1])
        #expect(await bench.next() == Self.message(.keepalive, [2]))
        try bench.send(.initialize, payload(8))
        try bench.send(.cbor, [4])
        #expect(await bench.next()?.command == .initialize)
        #expect(await bench.next() == Self.message(.cbor, [0, 4]))
        #expect(bench.device.events == ["request 1", "cancelled", "request 4"])
    }

    @Test func reportsDuringAPowerCycleAreServedAfterIt() async throws {
        let bench = ServerRunnerBench()
        bench.runner.receive(PowerCycleReport.bytes, from: 1)
        try bench.send(.ping, payload(7609))
        try bench.send(.cbor, [4])
        #expect(await bench.next() == Self.message(.ping, payload(7609)))
        #expect(await bench.next() == Self.message(.cbor, [0, 4]))
        #expect(bench.device.events == ["power cycle", "request 4"])
    }

    @Test func aFailureOfTheDeviceIsAnErrorOnTheWire() async throws {
        let bench = ServerRunnerBench()
        try bench.send(.cbor, [3])
        #expect(await bench.next() == Self.message(.error, [0x06]))
    }

    @Test func u2fIsAdvertisedAndServedOnlyWithAHandler() async throws {
        let without = ServerRunnerBench()
        try without.send(.initialize, payload(8))
        #expect(await without.next()?.payload.last == 0x0D)
        try without.send(.message, [0, 3, 0, 0])
        #expect(await without.next() == Self.message(.error, [0x01]))

        let with = ServerRunnerBench(u2f: { apdu throws(CTAPDeviceError) in apdu + [0x90, 0x00] })
        try with.send(.initialize, payload(8))
        #expect(await with.next()?.payload.last == 0x05)
        try with.send(.message, [0, 3])
        #expect(await with.next() == Self.message(.message, [0, 3, 0x90, 0]))
    }
}
