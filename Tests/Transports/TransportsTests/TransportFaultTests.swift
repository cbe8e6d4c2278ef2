import CTAP
import CTAPHID
import Synchronization
import Testing
import Transports

/// The effect of each transport fault on a client, over a real socket.
@Suite("Faults of the transport", .timeLimit(.minutes(30)))
struct TransportFaultTests {
    /// Answers at once with bytes that fill five packets, so that each packet of the answer can go wrong.
    private struct LongAnswer: CTAPDevice {
        static let answer: [UInt8] = [0] + (0..<250).map { UInt8($0) }

        func transceive(
            _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
        ) async throws(CTAPDeviceError) -> [UInt8] {
            if message == [0x0B] {
                // The user does not answer before the client gives up.
                onKeepalive(.userPresenceNeeded)
                for await _ in AsyncStream<Never>.makeStream().stream {}
                return [0x2D]
            }
            return Self.answer
        }
    }

    enum Outcome: Equatable, Sendable {
        case intact, shortened, timedOut, protocolViolation, busy, disconnected

        init(_ result: Result<[UInt8], CTAPDeviceError>) {
            switch result {
            case .success(LongAnswer.answer): self = .intact
            case .success: self = .shortened
            case .failure(.timedOut), .failure(.messageTimeout): self = .timedOut
            case .failure(.protocolViolation): self = .protocolViolation
            case .failure(.busy): self = .busy
            case .failure(.disconnected): self = .disconnected
            }
        }
    }

    private static func served(
        _ faults: TransportFaults, _ use: (UDPEndpoint) async throws -> Void
    ) async throws {
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(
            device: LongAnswer(), configuration: configuration, faults: faults)
        do {
            try await use(endpoint)
        } catch {
            await endpoint.close()
            throw error
        }
        await endpoint.close()
    }

    /// - Parameter outcome: The expected outcome; only for a time-out is the limit of silence short.
    private static func connect(
        _ endpoint: UDPEndpoint, expecting outcome: Outcome = .intact
    ) async throws -> UDPDevice {
        try await UDPDevice.connect(
            to: "127.0.0.1", port: endpoint.port, silenceLimit: .seconds(outcome == .timedOut ? 5 : 30))
    }

    private static func ask(_ device: UDPDevice, _ message: [UInt8] = [4]) async -> Outcome {
        do {
            return Outcome(.success(try await device.transceive(message) { _ in }))
        } catch {
            return Outcome(.failure(error))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: TransportFault.Kind
        let outcome: Outcome
        var testDescription: String { "\(kind)" }

        init(_ kind: TransportFault.Kind, _ outcome: Outcome) {
            self.kind = kind
            self.outcome = outcome
        }
    }

    static let rows: [Row] = [
        Row(.dropped(packet: 1), .timedOut), Row(.dropped(packet: 2), .protocolViolation),
        Row(.dropped(packet: 99), .timedOut), Row(.duplicated(packet: 1), .intact),
        Row(.duplicated(packet: 3), .protocolViolation), Row(.reordered, .protocolViolation),
        Row(.cut(packet: 1), .timedOut), Row(.cut(packet: 2), .protocolViolation), Row(.wrongChannel, .timedOut),
        Row(.wrongSequence, .protocolViolation), Row(.wrongCommand(.message), .protocolViolation),
        Row(.tooLong, .timedOut),
        Row(.tooShort, .shortened), Row(.stray, .intact), Row(.garbage(reports: 3), .intact),
        Row(.error(.channelBusy), .busy),
        Row(.error(.other), .protocolViolation), Row(.keepaliveStorm(count: 100), .intact),
        Row(.unplugged(after: 1), .timedOut), Row(.slow(.milliseconds(5)), .intact),
    ]

    @Test("A client reports the fault, and the next answer is intact", arguments: rows)
    func aClientReportsTheFault(row: Row) async throws {
        let faults = TransportFaults()
        try await Self.served(faults) { endpoint in
            let device = try await Self.connect(endpoint, expecting: row.outcome)
            #expect(await Self.ask(device) == .intact)
            faults.arm(TransportFault(row.kind), times: 1)
            #expect(await Self.ask(device) == row.outcome)
            faults.clear()
            #expect(await Self.ask(device) == .intact)
        }
    }

    @Test func aFaultEndsAfterItsNumberOfAnswers() async throws {
        let faults = TransportFaults()
        try await Self.served(faults) { endpoint in
            let device = try await Self.connect(endpoint)
            faults.arm(TransportFault(.tooShort), times: 2)
            #expect(await Self.ask(device) == .shortened)
            #expect(faults.armed.map(\.fault) == [TransportFault(.tooShort)])
            #expect(await Self.ask(device) == .shortened)
            #expect(faults.armed.isEmpty)
            #expect(await Self.ask(device) == .intact)
        }
    }

    @Test func anInitAnswerWithAnotherNonceIsIgnored() async throws {
        let faults = TransportFaults()
        faults.arm(TransportFault(.wrongNonce))
        try await Self.served(faults) { endpoint in
            await #expect(throws: CTAPDeviceError.self) { _ = try await Self.connect(endpoint, expecting: .timedOut) }
            faults.clear()
            let device = try await Self.connect(endpoint)
            #expect(await Self.ask(device) == .intact)
        }
    }

    @Test func aDeviceThatWaitsWithoutKeepalivesTimesOut() async throws {
        let faults = TransportFaults()
        try await Self.served(faults) { endpoint in
            let device = try await Self.connect(endpoint, expecting: .timedOut)
            faults.arm(TransportFault(.keepaliveSilence))
            #expect(await Self.ask(device, [0x0B]) == .timedOut)
        }
    }

    @Test func initDuringATransactionIsAnsweredWithTheQuirkOnly() async throws {
        let faults = TransportFaults()
        try await Self.served(faults) { endpoint in
            let client = try await RawUDPClient(port: endpoint.port)
            func answerToInit() async throws -> CTAPHIDMessage? {
                try await client.send(.initialize, payload(8), on: ServerBench.bob)
                var message = try await client.next()
                while message?.command == .keepalive { message = try await client.next() }
                return message
            }
            try await client.send(.cbor, [0x0B], on: ServerBench.alice)
            #expect(try await answerToInit()?.payload == [CTAPHIDErrorCode.channelBusy.rawValue])
            faults.arm(TransportFault(.initWhileBusy))
            #expect(try await answerToInit()?.command == .initialize)
            try await client.close()
        }
    }

    @Test func anUnpluggedDeviceIsGoneUntilItIsPluggedIn() async throws {
        let faults = TransportFaults()
        try await Self.served(faults) { endpoint in
            let device = try await Self.connect(endpoint, expecting: .timedOut)
            faults.arm(TransportFault(.unplugged(after: 0)), times: 1)
            #expect(await Self.ask(device) == .timedOut)
            #expect(faults.armed.isEmpty)
            #expect(faults.isUnplugged)
            #expect(await Self.ask(device) == .timedOut)
            await endpoint.powerCycle()
            #expect(!faults.isUnplugged)
            #expect(await Self.ask(device) == .intact)
        }
    }
}
