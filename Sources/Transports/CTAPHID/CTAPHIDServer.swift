package import CTAP

/// The device's side of CTAPHID as a state machine: reports in, actions out (CTAP 2.3 §11.2).
///
/// It has no socket, thread or clock. Its owner, such as ``CTAPHIDServerRunner``, feeds it reports and the events of
/// the running request, each with the time, performs the actions it returns, and calls ``tick(now:)`` at ``deadline``.
///
/// One transaction happens at a time: the assembly of a message, or the execution of a request. Meanwhile every other
/// channel receives ERR_CHANNEL_BUSY. `Peer` identifies the sender of a report, to whom the answer goes: a socket
/// address, or an empty type for a single peer.
///
/// ```swift
/// var server = CTAPHIDServer<Int>()
/// for action in server.receive(report, from: 1, now: now) { perform(action) }
/// ```
package struct CTAPHIDServer<Peer: Sendable>: Sendable {
    package typealias Action = CTAPHIDServerAction<Peer>

    private struct Assembly {
        var assembler: CTAPHIDAssembler
        var peer: Peer
        var deadline: Duration
    }

    private struct Execution {
        var id: CTAPHIDRequest.ID
        var channel: CTAPHIDChannel
        var command: CTAPHIDCommand
        var peer: Peer
        var status: KeepaliveStatus = .processing
        var nextKeepalive: Duration
    }

    private enum Transaction {
        case none
        case assembling(Assembly)
        case running(Execution)

        var channel: CTAPHIDChannel? {
            switch self {
            case .none: nil
            case .assembling(let assembly): assembly.assembler.channel
            case .running(let execution): execution.channel
            }
        }
    }

    private enum Service {
        case echo, wink, lock
        case request(CTAPHIDRequest.Kind)

        var lengths: ClosedRange<Int> {
            switch self {
            case .echo: 0...CTAPHIDMessage.maximumPayloadLength
            case .request: 1...CTAPHIDMessage.maximumPayloadLength
            case .wink: 0...0
            case .lock: 1...1
            }
        }
    }

    private struct Lock {
        var channel: CTAPHIDChannel
        var until: Duration
    }

    private let configuration: CTAPHIDServerConfiguration
    private(set) var channels: ChannelTable
    private var transaction = Transaction.none
    private var lock: Lock?
    private var requestCount: UInt64 = 0

    package init(configuration: CTAPHIDServerConfiguration = CTAPHIDServerConfiguration()) {
        self.configuration = configuration
        channels = ChannelTable(limit: configuration.channelLimit)
    }

    /// Whether INIT on an allocated channel is answered during another channel's transaction.
    ///
    /// ERR_CHANNEL_BUSY is due (CTAP 2.3 §11.2.5.1), but some devices answer.
    package var answersInitWhileBusy = false

    /// The next time ``tick(now:)`` is due; nil without a transaction.
    package var deadline: Duration? {
        switch transaction {
        case .none: nil
        case .assembling(let assembly): assembly.deadline
        case .running(let execution): execution.nextKeepalive
        }
    }

    /// Whether the answer to a request is still needed.
    package func runs(_ id: CTAPHIDRequest.ID) -> Bool {
        if case .running(let execution) = transaction { execution.id == id } else { false }
    }

    // MARK: Events

    /// Handles a report; one without exactly 64 bytes is ignored.
    package mutating func receive(_ report: [UInt8], from peer: Peer, now: Duration) -> [Action] {
        // A missed deadline takes effect before this report.
        var actions = tick(now: now)
        if isPowerCycle(report) {
            return actions + powerCycle()
        }
        guard let packet = try? CTAPHIDPacket(report: report) else { return actions }
        switch packet.header {
        case .initialization(let command, let messageLength):
            actions += begin(command, messageLength: Int(messageLength), packet: packet, from: peer, now: now)
        case .continuation: actions += resume(packet, now: now)
        }
        return actions
    }

    /// Whether a report stands for a power cycle, which a device on a bus has no report for.
    package func isPowerCycle(_ report: [UInt8]) -> Bool {
        configuration.recognizesPowerCycleReport && report == PowerCycleReport.bytes
    }

    /// Performs the due act: drops an unfinished message, or sends a KEEPALIVE for the running request.
    package mutating func tick(now: Duration) -> [Action] {
        switch transaction {
        case .assembling(let assembly) where now >= assembly.deadline:
            transaction = .none
            return [error(.messageTimeout, on: assembly.assembler.channel, to: assembly.peer)]
        case .running(let execution) where now >= execution.nextKeepalive: return [keepalive(execution, now: now)]
        default:
            return []
        }
    }

    /// Records the status of the running request; the client learns at once when the device waits for the user.
    package mutating func keepaliveStatus(of id: CTAPHIDRequest.ID, is status: KeepaliveStatus, now: Duration)
        -> [Action]
    {
        guard case .running(var execution) = transaction, execution.id == id, execution.status != status else {
            return []
        }
        execution.status = status
        transaction = .running(execution)
        return status == .userPresenceNeeded ? [keepalive(execution, now: now)] : tick(now: now)
    }

    /// Ends the running request with its answer; ignored for an aborted request.
    ///
    /// An answer that is empty or longer than a message becomes ERR_OTHER.
    package mutating func answer(_ id: CTAPHIDRequest.ID, with payload: [UInt8], now: Duration) -> [Action] {
        guard case .running(let execution) = transaction, execution.id == id else { return [] }
        guard !payload.isEmpty, payload.count <= CTAPHIDMessage.maximumPayloadLength else {
            return fail(id, with: .other, now: now)
        }
        transaction = .none
        return [answer(execution.command, payload, on: execution.channel, to: execution.peer)]
    }

    /// Ends the running request with an error; ignored for an aborted request.
    package mutating func fail(_ id: CTAPHIDRequest.ID, with code: CTAPHIDErrorCode, now: Duration) -> [Action] {
        guard case .running(let execution) = transaction, execution.id == id else { return [] }
        transaction = .none
        return [error(code, on: execution.channel, to: execution.peer)]
    }

    /// Drops the transaction and the lock, but keeps the channels: clients continue without a new INIT.
    package mutating func powerCycle() -> [Action] {
        lock = nil
        return abort() + [.powerCycle]
    }

    // MARK: Packets

    private mutating func begin(
        _ command: CTAPHIDCommand, messageLength: Int, packet: CTAPHIDPacket, from peer: Peer, now: Duration
    ) -> [Action] {
        let channel = packet.channel
        guard serves(channel, command) else { return [error(.invalidChannel, on: channel, to: peer)] }
        channels.touch(channel)

        if command == .initialize {
            // Asking for a channel does not begin a transaction, so the broadcast channel is always served (§11.2.9.1.3).
            if channel != .broadcast, !answersInitWhileBusy, isTaken(from: channel, now: now) {
                return [error(.channelBusy, on: channel, to: peer)]
            }
            guard messageLength == CTAPHIDInitialization.nonceLength else {
                return [error(.invalidLength, on: channel, to: peer)]
            }
            return initialize(channel, nonce: Array(packet.data.prefix(messageLength)), peer: peer)
        }
        if command == .cancel {
            // CANCEL is never answered, and applies only to a running request of its own channel (§11.2.9.1.5).
            guard case .running(let execution) = transaction, execution.channel == channel else { return [] }
            return [.cancel(execution.id)]
        }

        if isTaken(from: channel, now: now) { return [error(.channelBusy, on: channel, to: peer)] }
        switch transaction {
        case .assembling:
            transaction = .none
            return [error(.invalidSequence, on: channel, to: peer)]
        case .running: return [error(.channelBusy, on: channel, to: peer)]
        case .none: break
        }
        guard let service = service(command) else { return [error(.invalidCommand, on: channel, to: peer)] }
        guard service.lengths.contains(messageLength), let assembler = try? CTAPHIDAssembler(first: packet) else {
            return [error(.invalidLength, on: channel, to: peer)]
        }
        return proceed(assembler, from: peer, now: now)
    }

    /// Handles a continuation packet; one that belongs to no message is ignored (§11.2.4).
    private mutating func resume(_ packet: CTAPHIDPacket, now: Duration) -> [Action] {
        guard case .assembling(var assembly) = transaction, assembly.assembler.channel == packet.channel else {
            return []
        }
        // Dropping this copy lets the assembler append in place.
        transaction = .none
        do {
            try assembly.assembler.append(packet)
        } catch {
            return [self.error(.invalidSequence, on: packet.channel, to: assembly.peer)]
        }
        return proceed(assembly.assembler, from: assembly.peer, now: now)
    }

    /// Performs a complete message, and waits for the rest of an incomplete one.
    private mutating func proceed(_ assembler: CTAPHIDAssembler, from peer: Peer, now: Duration) -> [Action] {
        guard let message = assembler.message else {
            let deadline = now + configuration.messageTimeout
            transaction = .assembling(Assembly(assembler: assembler, peer: peer, deadline: deadline))
            return []
        }
        switch service(message.command) {
        case .request(let kind): return start(kind, message, from: peer, now: now)
        case .lock: return lock(message, from: peer, now: now)
        case .wink: return [.wink, answer(.wink, [], on: message.channel, to: peer)]
        case .echo: return [.send(message.packets, to: peer)]
        case nil: return [error(.invalidCommand, on: message.channel, to: peer)]
        }
    }

    // MARK: Rules

    /// Whether a command is allowed on a channel (§11.2.9.1.3, §11.2.9.1.6).
    private func serves(_ channel: CTAPHIDChannel, _ command: CTAPHIDCommand) -> Bool {
        switch channel {
        case .reserved: false
        case .broadcast: command == .initialize
        default: configuration.servesUnknownChannels || channels.contains(channel)
        }
    }

    /// Whether another channel has a transaction (§11.2.5.1) or the lock (§11.2.9.2.2).
    private func isTaken(from channel: CTAPHIDChannel, now: Duration) -> Bool {
        if let owner = transaction.channel, owner != channel { return true }
        return lock.map { $0.channel != channel && now < $0.until } ?? false
    }

    private func service(_ command: CTAPHIDCommand) -> Service? {
        switch command {
        case .ping: .echo
        case .cbor where configuration.capabilities.contains(.cbor): .request(.cbor)
        case .message where !configuration.capabilities.contains(.noMessage): .request(.message)
        case .wink where configuration.capabilities.contains(.wink): .wink
        case .lock where configuration.supportsLock: .lock
        default: nil
        }
    }

    // MARK: Commands

    /// Allocates a channel on the broadcast channel; resynchronises any other channel (§11.2.9.1.3).
    private mutating func initialize(_ channel: CTAPHIDChannel, nonce: [UInt8], peer: Peer) -> [Action] {
        var actions: [Action] = []
        var assigned = channel
        if channel == .broadcast {
            assigned = channels.allocate(except: [transaction.channel, lock?.channel].compactMap { $0 })
        } else {
            if transaction.channel == channel { actions = abort() }
            if lock?.channel == channel { lock = nil }
        }
        let initialization = CTAPHIDInitialization(
            nonce: nonce, channel: assigned, deviceVersion: configuration.deviceVersion,
            capabilities: configuration.capabilities)
        return actions + [answer(.initialize, initialization.payload, on: channel, to: peer)]
    }

    private mutating func start(
        _ kind: CTAPHIDRequest.Kind, _ message: CTAPHIDMessage, from peer: Peer, now: Duration
    ) -> [Action] {
        requestCount += 1
        let id = CTAPHIDRequest.ID(number: requestCount)
        transaction = .running(
            Execution(
                id: id, channel: message.channel, command: message.command, peer: peer,
                nextKeepalive: now + configuration.keepaliveInterval))
        return [.start(CTAPHIDRequest(id: id, channel: message.channel, kind: kind, payload: message.payload))]
    }

    /// Locks the device to a channel for 1 to 10 seconds; 0 releases it (§11.2.9.2.2).
    private mutating func lock(_ message: CTAPHIDMessage, from peer: Peer, now: Duration) -> [Action] {
        guard let seconds = message.payload.first, seconds <= 10 else {
            return [error(.invalidParameter, on: message.channel, to: peer)]
        }
        lock = seconds == 0 ? nil : Lock(channel: message.channel, until: now + .seconds(Int(seconds)))
        return [answer(.lock, [], on: message.channel, to: peer)]
    }

    /// Drops the transaction, including the answer of a running request.
    private mutating func abort() -> [Action] {
        defer { transaction = .none }
        return if case .running(let execution) = transaction { [.cancel(execution.id)] } else { [] }
    }

    // MARK: Answers

    private mutating func keepalive(_ execution: Execution, now: Duration) -> Action {
        var execution = execution
        execution.nextKeepalive = now + configuration.keepaliveInterval
        transaction = .running(execution)
        return answer(.keepalive, [execution.status.rawValue], on: execution.channel, to: execution.peer)
    }

    private func answer(
        _ command: CTAPHIDCommand, _ payload: [UInt8], on channel: CTAPHIDChannel, to peer: Peer
    ) -> Action {
        .send(CTAPHIDMessage(channel: channel, command: command, fitting: payload).packets, to: peer)
    }

    private func error(_ code: CTAPHIDErrorCode, on channel: CTAPHIDChannel, to peer: Peer) -> Action {
        answer(.error, [code.rawValue], on: channel, to: peer)
    }
}
