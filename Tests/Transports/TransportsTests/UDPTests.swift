import CTAP
import CTAPHID
import Synchronization
import TestSupport
import Testing
import Transports

@Suite("CTAPHID over UDP", .timeLimit(.minutes(30)))
struct UDPTests {
    /// Runs a test against a device that listens on a free port.
    static func withEndpoint(
        _ change: (inout UDPEndpoint.Configuration) -> Void = { _ in },
        onWink: @escaping @Sendable () -> Void = {},
        _ body: (UDPEndpoint, ScriptedDevice) async throws -> Void
    ) async throws {
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        // A busy machine may delay a message between two of its packets.
        configuration.ctaphid.messageTimeout = .seconds(30)
        change(&configuration)
        let device = ScriptedDevice()
        let endpoint = try await UDPEndpoint.listen(device: device, configuration: configuration, onWink: onWink)
        try await body(endpoint, device)
        await endpoint.close()
    }

    static func connect(_ endpoint: UDPEndpoint) async throws -> UDPDevice {
        try await UDPDevice.connect(to: "127.0.0.1", port: endpoint.port)
    }

    @Test func pingOfEverySizeIsReturned() async throws {
        try await Self.withEndpoint { endpoint, _ in
            let client = try await Self.connect(endpoint)
            for count in [0, 1, 57, 58, 1024, 7609] {
                #expect(try await client.ping(payload(count)) == payload(count))
            }
        }
    }

    @Test func theClientLearnsWhatTheDeviceCanDo() async throws {
        try await Self.withEndpoint { endpoint, _ in
            let client = try await Self.connect(endpoint)
            let initialization = try #require(await client.initialization())
            #expect(initialization.protocolVersion == 2)
            #expect(initialization.capabilities == [.cbor, .wink, .noMessage])
        }
    }

    @Test func aRequestAndItsAnswerMayBeLong() async throws {
        try await Self.withEndpoint { endpoint, _ in
            let client = try await Self.connect(endpoint)
            let request = [4] + payload(7600)
            #expect(try await client.transceive(request) == [0] + request)
        }
    }

    @Test func keepalivesComeAtLeastEveryTenthOfASecond() async throws {
        try await Self.withEndpoint { endpoint, device in
            let client = try await RawUDPClient(port: endpoint.port)
            try await client.send(.cbor, [1], on: CTAPHIDChannel(rawValue: 7))
            var times: [ContinuousClock.Instant] = []
            while times.count < 16, let message = try await client.next() {
                #expect(message.command == .keepalive)
                times.append(.now)
            }
            let gaps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
            // Other load on the machine may delay keepalives, but makes none early.
            #expect(gaps[gaps.count / 4] <= .milliseconds(100))
            device.touch()
            // Keepalives may come before the touch.
            var answer = try await client.next()
            while answer?.command == .keepalive { answer = try await client.next() }
            #expect(answer?.payload == [0])
            try await client.close()
        }
    }

    @Test func requestsOfSeveralTasksAreAnsweredOneAfterTheOther() async throws {
        try await Self.withEndpoint { endpoint, _ in
            let client = try await Self.connect(endpoint)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 10..<60 as Range<UInt8> {
                    group.addTask {
                        let answer = try await client.transceive([number])
                        #expect(answer == [0, number])
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func winkReachesTheDevice() async throws {
        let winks = Atomic<Int>(0)
        try await Self.withEndpoint(onWink: { winks.add(1, ordering: .relaxed) }) { endpoint, _ in
            try await Self.connect(endpoint).wink()
        }
        #expect(winks.load(ordering: .relaxed) == 1)
    }

    @Test func theWaitForTheUserIsReportedBeforeTheAnswer() async throws {
        try await Self.withEndpoint { endpoint, _ in
            let statuses = Mutex<[KeepaliveStatus]>([])
            let client = try await Self.connect(endpoint)
            let answer = try await client.transceive([2]) { status in statuses.withLock { $0.append(status) } }
            #expect(answer == [0])
            #expect(statuses.withLock { $0 } == [.userPresenceNeeded])
        }
    }

    @Test func cancellingTheTaskCancelsTheCommandAndReturnsItsAnswer() async throws {
        try await Self.withEndpoint { endpoint, device in
            let client = try await Self.connect(endpoint)
            let (waits, continuation) = AsyncStream.makeStream(of: KeepaliveStatus.self)
            let task = Task { try await client.transceive([1]) { continuation.yield($0) } }
            #expect(await waits.first { _ in true } == .userPresenceNeeded)
            task.cancel()
            #expect(try await task.value == [0x2D])
            #expect(device.events == ["request 1", "cancelled"])
        }
    }

    @Test func aTaskCancelledBeforehandStillReturnsTheDevicesAnswer() async throws {
        try await Self.withEndpoint { endpoint, _ in
            let client = try await Self.connect(endpoint)
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                _ = await gate.first { _ in true }
                return try await client.transceive([1])
            }
            task.cancel()
            open.yield()
            #expect(try await task.value == [0x2D])
        }
    }

    @Test func anotherClientGetsABusyError() async throws {
        try await Self.withEndpoint { endpoint, device in
            let (alice, bob) = (try await Self.connect(endpoint), try await Self.connect(endpoint))
            let (waits, continuation) = AsyncStream.makeStream(of: KeepaliveStatus.self)
            async let answer = alice.transceive([1]) { continuation.yield($0) }
            #expect(await waits.first { _ in true } == .userPresenceNeeded)
            await #expect(throws: CTAPDeviceError.busy) { try await bob.transceive([4]) }
            device.touch()
            #expect(try await answer == [0])
            #expect(try await bob.transceive([4]) == [0, 4])
        }
    }

    @Test func aPowerCycleReachesTheDeviceAndTheClientContinues() async throws {
        try await Self.withEndpoint { endpoint, device in
            let client = try await Self.connect(endpoint)
            _ = try await client.transceive([4])
            await client.powerCycle()
            #expect(device.events == ["request 4", "power cycle"])
            #expect(try await client.transceive([5]) == [0, 5])
        }
    }

    @Test func aPowerCycleEndsTheRunningRequest() async throws {
        try await Self.withEndpoint { endpoint, device in
            let client = try await Self.connect(endpoint)
            let (waits, continuation) = AsyncStream.makeStream(of: KeepaliveStatus.self)
            let task = Task { try await client.transceive([1]) { continuation.yield($0) } }
            _ = await waits.first { _ in true }
            await client.powerCycle()
            await #expect(throws: CTAPDeviceError.disconnected("the device was power-cycled")) { try await task.value }
            #expect(try await client.transceive([5]) == [0, 5])
            #expect(device.events.contains("power cycle"))
        }
    }

    @Test func aHostMayContinueAfterThePowerCycleReportWithoutANewInit() async throws {
        try await Self.withEndpoint({ $0.ctaphid.servesUnknownChannels = false }) { endpoint, device in
            let host = try await RawUDPClient(port: endpoint.port)
            try await host.send(.initialize, payload(8), on: .broadcast)
            let answer = try #require(try await host.next())
            let channel = try #require(CTAPHIDInitialization(payload: answer.payload)).channel
            try await host.send(PowerCycleReport.bytes)
            try await host.send(.cbor, [9], on: channel)
            #expect(try await host.next()?.payload == [0, 9])
            #expect(device.events == ["power cycle", "request 9"])
            try await host.close()
        }
    }

    @Test(arguments: [true, false])
    func anUnallocatedChannelIsServedOrInvalidAsConfigured(isServed: Bool) async throws {
        let channel = CTAPHIDChannel(rawValue: 0x1122_3344)
        try await Self.withEndpoint({ if !isServed { $0.ctaphid.servesUnknownChannels = false } }) { endpoint, _ in
            let host = try await RawUDPClient(port: endpoint.port)
            try await host.send(.ping, [1, 2, 3], on: channel)
            let answer = try #require(try await host.next())
            #expect(answer.channel == channel)
            #expect(answer.command == (isServed ? .ping : .error))
            #expect(answer.payload == (isServed ? [1, 2, 3] : [0x0B]))
            try await host.close()
        }
    }

    @Test func datagramsOfAnotherSizeAreIgnored() async throws {
        try await Self.withEndpoint { endpoint, _ in
            let host = try await RawUDPClient(port: endpoint.port)
            for count in [0, 1, 63, 65, 3000] { try await host.send([UInt8](repeating: 0x81, count: count)) }
            try await host.send(.ping, [7], on: ServerBench.alice)
            #expect(try await host.next()?.payload == [7])
            try await host.close()
        }
    }

    @Test func anAnswerGoesToTheSenderOfItsRequest() async throws {
        try await Self.withEndpoint { endpoint, device in
            let (alice, bob) = (
                try await RawUDPClient(port: endpoint.port), try await RawUDPClient(port: endpoint.port)
            )
            try await alice.send(.cbor, [1], on: ServerBench.alice)
            #expect(try await alice.next()?.command == .keepalive)
            try await bob.send(.ping, [1], on: ServerBench.bob)
            #expect(try await bob.next()?.payload == [0x06])
            device.touch()
            var answer = try await alice.next()
            while answer?.command == .keepalive { answer = try await alice.next() }
            #expect(answer?.payload == [0])
            try await alice.close()
            try await bob.close()
        }
    }

    @Test func runEndsWithItsTaskAndLeavesThePortFree() async throws {
        let endpoint = try await UDPEndpoint.listen(
            device: ScriptedDevice(),
            configuration: {
                var configuration = UDPEndpoint.Configuration()
                configuration.port = 0
                return configuration
            }())
        let port = endpoint.port
        let task = Task { await endpoint.run() }
        task.cancel()
        await task.value
        try await Self.withEndpoint({ $0.port = port }) { again, _ in #expect(again.port == port) }
    }

    @Test func aPortInUseIsAClearError() async throws {
        try await Self.withEndpoint { endpoint, _ in
            do {
                try await Self.withEndpoint({ $0.port = endpoint.port }) { _, _ in }
                Issue.record("two endpoints share a port")
            } catch CTAPDeviceError.disconnected(let detail) {
                #expect(detail.hasPrefix("cannot listen on 127.0.0.1:\(endpoint.port)"))
            }
        }
    }

    @Test func aPortWithoutAListenerIsNoDevice() async throws {
        var port = 0
        try await Self.withEndpoint { endpoint, _ in port = endpoint.port }
        // Loopback reports a port without a listener at once; the test waits for no time-out.
        let error = await #expect(throws: CTAPDeviceError.self) {
            _ = try await UDPDevice.connect(to: "127.0.0.1", port: port)
        }
        guard case .disconnected(let detail)? = error else {
            Issue.record("expected a disconnected device, got \(String(describing: error))")
            return
        }
        #expect(detail.contains("no device answers on udp:127.0.0.1:\(port); start one"))
        #expect(detail.contains("touchstone device start PROFILE --udp \(port)"))
    }

    @Test func aClosedClientIsDisconnected() async throws {
        try await Self.withEndpoint { endpoint, _ in
            let client = try await Self.connect(endpoint)
            await client.close()
            await #expect(throws: CTAPDeviceError.disconnected("the connection is closed")) {
                try await client.transceive([4])
            }
        }
    }
}
