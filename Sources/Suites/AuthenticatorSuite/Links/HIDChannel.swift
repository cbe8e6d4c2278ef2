internal import CTAP
package import CTAPHID
internal import Conformance
internal import Dispatch
internal import SecurityKeys
internal import Synchronization
internal import WebAuthn

/// The reports of a device: packets out, packets in, without a client between.
package final class HIDChannel: Sendable {
    private let reports: any ReportTransport
    /// Reading blocks its thread.
    private let queue = DispatchQueue(label: "reports of an authenticator")
    private let state = Mutex(State())

    private struct State {
        var recorder: CaseRecorder?
        /// Packets of other channels than the one that was read.
        var early: [CTAPHIDPacket] = []
        /// The time in which the packets of the last message were sent.
        var sending = Duration.zero
    }

    /// Half of the time in which a device waits for the rest of a message (CTAP 2.3 §11.2.5.2).
    private static let slowSending = Duration.milliseconds(250)

    init(_ reports: any ReportTransport) { self.reports = reports }

    /// Notes all that follows in another record, and forgets packets that were not read.
    func begin(_ recorder: CaseRecorder?) async {
        state.withLock { $0 = State(recorder: recorder) }
        while let late = try? await report(within: .zero), late.count == CTAPHIDPacket.length {}
    }

    // MARK: Packets

    package func send(report: [UInt8]) {
        note(sent: "report \(Hex.encode(report.prefix(16)))…")
        _ = reports.write(report)
    }

    package func send(_ packet: CTAPHIDPacket) {
        note(sent: Self.words(packet))
        state.withLock { $0.sending = .zero }
        _ = reports.write(packet.report)
    }

    package func send(
        _ command: CTAPHIDCommand, _ payload: [UInt8] = [], on channel: CTAPHIDChannel
    ) throws(CTAPHIDFramingError) {
        let message = try CTAPHIDMessage(channel: channel, command: command, payload: payload)
        note(sent: Self.words(message))
        let start = ContinuousClock.now
        for packet in message.packets { _ = reports.write(packet.report) }
        state.withLock { $0.sending = .now - start }
    }

    /// The next packet, on this channel where one is given; nil when none comes in time.
    package func packet(
        on channel: CTAPHIDChannel? = nil, within limit: Duration = .seconds(2)
    ) async throws -> CTAPHIDPacket? {
        let end = ContinuousClock.now + limit
        return try await reading { [self] in try next(on: channel, until: end, from: $0) }
    }

    /// The next message on a channel, keepalives included; nil when none comes in time.
    package func message(
        on channel: CTAPHIDChannel, within limit: Duration = .seconds(2)
    ) async throws -> CTAPHIDMessage? {
        guard let first = try await packet(on: channel, within: limit) else { return nil }
        var assembler = try noting(first) { try CTAPHIDAssembler(first: first) }
        while assembler.message == nil {
            guard let next = try await packet(on: channel, within: limit) else { return nil }
            try noting(next) { try assembler.append(next) }
        }
        if let message = assembler.message { note(received: Self.words(message)) }
        return assembler.message
    }

    /// Notes a packet that belongs to no message.
    private func noting<Result>(_ packet: CTAPHIDPacket, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            note(received: "report \(Hex.encode(packet.report))")
            throw error
        }
    }

    /// The next message on a channel after its keepalives, and these keepalives.
    ///
    /// - Throws: `CaseStop.notRun` where this machine was too slow for the device.
    package func answer(
        on channel: CTAPHIDChannel, within limit: Duration = .seconds(5)
    ) async throws -> (message: CTAPHIDMessage?, keepalives: [UInt8]) {
        var keepalives: [UInt8] = []
        while let message = try await message(on: channel, within: limit) {
            guard message.command == .keepalive else {
                let sending = state.withLock(\.sending)
                if message.command == .error, sending > Self.slowSending,
                    message.payload == [CTAPHIDErrorCode.messageTimeout.rawValue]
                {
                    throw CaseStop.notRun(
                        "this machine needed \(Int(sending / .milliseconds(1))) ms to send a message, and the device did not "
                            + "wait so long; run the case again when this machine is less busy")
                }
                return (message, keepalives)
            }
            keepalives.append(message.payload.first ?? 0)
        }
        return (nil, keepalives)
    }

    /// Waits for keepalives, each within two seconds, and returns their number and the time of the wait.
    ///
    /// One thread reads them all, so that the concurrency pool does not delay them. Another message on the channel ends
    /// the wait, and is the next one to be read.
    package func keepalives(_ count: Int, on channel: CTAPHIDChannel) async throws -> (count: Int, span: Duration) {
        try await reading { [self] reports in
            let start = ContinuousClock.now
            var found = 0
            while found < count, let packet = try next(on: channel, until: .now + .seconds(2), from: reports) {
                guard let message = try CTAPHIDAssembler(first: packet).message, message.command == .keepalive else {
                    state.withLock { $0.early.append(packet) }
                    break
                }
                note(received: Self.words(message))
                found += 1
            }
            return (found, .now - start)
        }
    }

    // MARK: Exchanges

    /// Sends a message and returns its answer; nil when none comes in time.
    package func exchange(
        _ command: CTAPHIDCommand, _ payload: [UInt8] = [], on channel: CTAPHIDChannel,
        within limit: Duration = .seconds(5)
    ) async throws -> CTAPHIDMessage? {
        try send(command, payload, on: channel)
        return try await answer(on: channel, within: limit).message
    }

    /// - Throws: `CaseStop` when the device does not answer INIT.
    package func open() async throws -> CTAPHIDInitialization {
        let nonce = (0..<CTAPHIDInitialization.nonceLength).map { _ in UInt8.random(in: .min ... .max) }
        try send(.initialize, nonce, on: .broadcast)
        while let answer = try await message(on: .broadcast) {
            guard answer.command == .initialize, let initialization = CTAPHIDInitialization(payload: answer.payload),
                initialization.nonce == nonce
            else { continue }
            return initialization
        }
        guard let recorder = state.withLock({ $0.recorder }) else {
            throw CTAPDeviceError.timedOut("no answer to INIT")
        }
        throw recorder.fail("an answer to CTAPHID_INIT on the broadcast channel", seen: "none within two seconds")
    }

    /// Ends the business of a channel: an incomplete message, a request, a lock.
    func resynchronise(_ channel: CTAPHIDChannel) async throws {
        try send(.initialize, [UInt8](repeating: 0x5A, count: CTAPHIDInitialization.nonceLength), on: channel)
        while let answer = try await message(on: channel, within: .milliseconds(500)), answer.command != .initialize {}
    }

    private func report(within limit: Duration) async throws -> [UInt8]? {
        let milliseconds = Int(limit / .milliseconds(1))
        return try await reading { try $0.read(within: milliseconds) }
    }

    /// The next packet, for the thread that reads; packets of other channels are kept.
    private func next(
        on channel: CTAPHIDChannel?, until end: ContinuousClock.Instant, from reports: any ReportTransport
    ) throws -> CTAPHIDPacket? {
        repeat {
            let early = state.withLock { state -> CTAPHIDPacket? in
                guard let index = state.early.firstIndex(where: { channel == nil || $0.channel == channel }) else {
                    return nil
                }
                return state.early.remove(at: index)
            }
            if let early { return early }
            let left = max(.zero, end - .now)
            guard let bytes = try reports.read(within: Int(left / .milliseconds(1))) else { return nil }
            let packet = try CTAPHIDPacket(report: bytes)
            state.withLock { $0.early.append(packet) }
        } while true
    }

    /// Reads on a thread that may block.
    private func reading<Value: Sendable>(
        _ read: @escaping @Sendable (any ReportTransport) throws -> Value
    ) async throws -> Value {
        let reports = reports
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try read(reports) }) }
        }
    }

    // MARK: Records

    private func note(sent: String) {
        state.withLock { $0.recorder }?.record(CaseExchange(sent: ["CTAPHID \(sent)"], received: []))
    }

    private func note(received: String) {
        state.withLock { $0.recorder }?.record(CaseExchange(sent: [], received: ["CTAPHID \(received)"]))
    }

    private static func words(_ packet: CTAPHIDPacket) -> String {
        let head =
            switch packet.header {
            case .initialization(let command, let length): "\(command), \(length) bytes announced"
            case .continuation(let sequence): "continuation \(sequence)"
            }
        return "packet on \(packet.channel): \(head)"
    }

    private static func words(_ message: CTAPHIDMessage) -> String {
        let bytes = Hex.encode(message.payload.prefix(24)) + (message.payload.count > 24 ? "…" : "")
        return "\(message.command) on \(message.channel), \(message.payload.count) bytes: \(bytes)"
    }
}

/// U2F messages over CTAPHID.
struct ReportedU2F: U2FDevice {
    let channel: HIDChannel

    func answerU2F(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
        do {
            let id = try await channel.open().channel
            guard let answer = try await channel.exchange(.message, apdu, on: id), answer.command == .message else {
                throw CTAPDeviceError.protocolViolation("the device did not answer MSG")
            }
            return answer.payload
        } catch let error as CTAPDeviceError {
            throw error
        } catch CaseStop.notRun {
            throw .messageTimeout
        } catch {
            throw .protocolViolation("\(error)")
        }
    }
}
