package import CTAP

/// What the owner of a ``CTAPHIDClient`` has to do after an event, in order.
package enum CTAPHIDClientAction: Equatable, Sendable {
    /// Send these packets to the device.
    case send([CTAPHIDPacket])
    /// The device has begun to compute, or to wait for its person.
    case keepalive(KeepaliveStatus)
    /// The exchange has ended; the next one may begin.
    case finish(Result<[UInt8], CTAPDeviceError>)
}

/// The client's side of CTAPHID as a state machine: reports in, actions out (CTAP 2.3 §11.2).
///
/// It has no socket, thread or clock. One exchange happens at a time; its owner begins it with ``open(nonce:now:)`` or
/// ``request(_:_:nonce:now:)``, feeds in every report, and calls ``tick(now:)`` when ``deadline`` has come.
///
/// After a failure other than ``CTAPDeviceError/busy`` the channel is forgotten and the next exchange asks for a new
/// one: a late answer then cannot be taken for that of another request.
package struct CTAPHIDClient: Sendable {
    /// How the device introduced itself, while the client has a channel.
    package private(set) var initialization: CTAPHIDInitialization?
    /// When the device will have been silent for too long; `nil` between exchanges.
    package private(set) var deadline: Duration?

    /// How long the device may be silent; hosts wait one second (older ones) to five.
    package var silenceLimit: Duration

    private struct Request {
        var command: CTAPHIDCommand
        var payload: [UInt8]
        var isCancelled = false
    }

    private enum Phase {
        case idle
        case opening(nonce: [UInt8], next: Request?)
        case waiting(Request, CTAPHIDAssembler?)
    }

    private var phase = Phase.idle
    private var lastStatus: KeepaliveStatus?

    /// Creates a client without a channel.
    package init(silenceLimit: Duration = .seconds(5)) {
        self.silenceLimit = silenceLimit
    }

    // MARK: Exchanges

    /// Asks for a channel; the exchange finishes with the payload of the INIT answer.
    ///
    /// - Parameter nonce: eight bytes chosen by chance.
    package mutating func open(nonce: [UInt8], now: Duration) -> [CTAPHIDClientAction] {
        open(nonce: nonce, next: nil, now: now)
    }

    /// Sends a message, asking for a channel first when there is none; the exchange finishes with the answer's payload.
    ///
    /// - Parameter nonce: eight bytes chosen by chance, for the case that a channel is needed.
    package mutating func request(
        _ command: CTAPHIDCommand, _ payload: [UInt8], nonce: [UInt8], now: Duration
    ) -> [CTAPHIDClientAction] {
        let request = Request(command: command, payload: payload)
        return initialization == nil ? open(nonce: nonce, next: request, now: now) : begin(request, now: now)
    }

    /// Asks the device to give up the request; its answer is still awaited.
    package mutating func cancel() -> [CTAPHIDClientAction] {
        switch phase {
        case .opening(let nonce, .some(var next)):
            next.isCancelled = true
            phase = .opening(nonce: nonce, next: next)
            return []
        case .waiting(var request, let assembler) where !request.isCancelled:
            request.isCancelled = true
            phase = .waiting(request, assembler)
            return [cancelMessage].compactMap { $0 }
        default:
            return []
        }
    }

    /// Ends the exchange, since the device cannot be reached any more.
    package mutating func abandon(_ error: CTAPDeviceError) -> [CTAPHIDClientAction] {
        if case .idle = phase { return [] }
        return fail(error)
    }

    // MARK: Events

    /// Ends the exchange when the device has been silent for too long.
    package mutating func tick(now: Duration) -> [CTAPHIDClientAction] {
        guard let deadline, now >= deadline else { return [] }
        return fail(.timedOut("no report for \(silenceLimit)"))
    }

    /// Takes a report; what does not belong to the exchange is ignored.
    package mutating func receive(_ report: [UInt8], now: Duration) -> [CTAPHIDClientAction] {
        guard let packet = try? CTAPHIDPacket(report: report) else { return [] }
        switch phase {
        case .idle:
            return []
        case .opening(let nonce, let next):
            guard packet.channel == .broadcast else { return [] }
            return receive(packet, opening: nonce, next: next, now: now)
        case .waiting(let request, let assembler):
            guard packet.channel == initialization?.channel else { return [] }
            deadline = now + silenceLimit
            // The machine lets go of its copy, so that appending does not copy the message.
            phase = .waiting(request, nil)
            return receive(packet, request: request, assembler: assembler)
        }
    }

    // MARK: Steps

    private mutating func open(nonce: [UInt8], next: Request?, now: Duration) -> [CTAPHIDClientAction] {
        initialization = nil
        phase = .opening(nonce: nonce, next: next)
        deadline = now + silenceLimit
        return [.send(CTAPHIDMessage(channel: .broadcast, command: .initialize, fitting: nonce).packets)]
    }

    private mutating func begin(_ request: Request, now: Duration) -> [CTAPHIDClientAction] {
        guard let channel = initialization?.channel else { return fail(.disconnected("no channel")) }
        do {
            let message = try CTAPHIDMessage(channel: channel, command: request.command, payload: request.payload)
            phase = .waiting(request, nil)
            deadline = now + silenceLimit
            lastStatus = nil
            return [.send(message.packets)] + [request.isCancelled ? cancelMessage : nil].compactMap { $0 }
        } catch {
            return finish(.failure(.protocolViolation("\(error)")))
        }
    }

    private var cancelMessage: CTAPHIDClientAction? {
        guard let channel = initialization?.channel else { return nil }
        return .send(CTAPHIDMessage(channel: channel, command: .cancel, fitting: []).packets)
    }

    private mutating func receive(
        _ packet: CTAPHIDPacket, opening nonce: [UInt8], next: Request?, now: Duration
    ) -> [CTAPHIDClientAction] {
        guard let message = try? CTAPHIDAssembler(first: packet).message else { return [] }
        if message.command == .error { return fail(Self.error(for: message.payload)) }
        // Every client hears the answers on the broadcast channel: the nonce says which is ours (§11.2.9.1.3).
        guard message.command == .initialize, let answer = CTAPHIDInitialization(payload: message.payload),
            answer.nonce == nonce
        else { return [] }
        initialization = answer
        guard let next else { return finish(.success(message.payload)) }
        return begin(next, now: now)
    }

    private mutating func receive(
        _ packet: CTAPHIDPacket, request: Request, assembler: CTAPHIDAssembler?
    ) -> [CTAPHIDClientAction] {
        do throws(CTAPHIDFramingError) {
            var assembly: CTAPHIDAssembler
            if case .initialization = packet.header {
                assembly = try CTAPHIDAssembler(first: packet)
            } else if let assembler {
                assembly = assembler
                try assembly.append(packet)
            } else {
                return []
            }
            guard let message = assembly.message else {
                phase = .waiting(request, assembly)
                return []
            }
            return take(message, answering: request)
        } catch {
            return fail(.protocolViolation("\(error)"))
        }
    }

    private mutating func take(_ message: CTAPHIDMessage, answering request: Request) -> [CTAPHIDClientAction] {
        switch message.command {
        case request.command:
            return finish(.success(message.payload))
        case .keepalive:
            // Repetitions keep the exchange alive; only a change is news.
            guard let status = message.payload.first.flatMap(KeepaliveStatus.init(rawValue:)), status != lastStatus
            else {
                return []
            }
            lastStatus = status
            return [.keepalive(status)]
        case .error:
            return fail(Self.error(for: message.payload))
        default:
            return fail(.protocolViolation("\(message.command) came in answer to \(request.command)"))
        }
    }

    private mutating func finish(_ result: Result<[UInt8], CTAPDeviceError>) -> [CTAPHIDClientAction] {
        phase = .idle
        deadline = nil
        return [.finish(result)]
    }

    private mutating func fail(_ error: CTAPDeviceError) -> [CTAPHIDClientAction] {
        if error != .busy { initialization = nil }
        return finish(.failure(error))
    }

    private static func error(for payload: [UInt8]) -> CTAPDeviceError {
        guard let byte = payload.first else { return .protocolViolation("an ERROR without a code") }
        let code = CTAPHIDErrorCode(rawValue: byte)
        return switch code {
        case .channelBusy: .busy
        case .messageTimeout: .timedOut("the device answered \(code)")
        case .invalidChannel: .disconnected("the device does not know the channel any more")
        default: .protocolViolation("the device answered \(code)")
        }
    }
}
