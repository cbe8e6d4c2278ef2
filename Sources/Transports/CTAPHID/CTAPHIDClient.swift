package import CTAP

/// One thing for the owner of a ``CTAPHIDClient`` to do after an event, in order.
package enum CTAPHIDClientAction: Equatable, Sendable {
    case send([CTAPHIDPacket])
    case keepalive(KeepaliveStatus)
    /// The exchange has ended, and the next one may begin.
    case finish(Result<[UInt8], CTAPDeviceError>)
}

/// The client's side of CTAPHID as a state machine: reports in, actions out (CTAP 2.3 §11.2).
///
/// It has no socket, thread or clock. One exchange runs at a time. Its owner begins it with ``open(nonce:now:)`` or
/// ``request(_:_:nonce:now:)``, feeds in every report, and calls ``tick(now:)`` at ``deadline``.
///
/// After a failure other than ``CTAPDeviceError/busy`` the next exchange requests a new channel, so that a late answer
/// cannot be taken for the answer to another request.
package struct CTAPHIDClient: Sendable {
    /// The device's INIT answer; nil without a channel.
    package private(set) var initialization: CTAPHIDInitialization?
    /// The end of the silence limit; nil between exchanges.
    package private(set) var deadline: Duration?

    /// The longest silence from the device; clients in use allow one to five seconds.
    package var silenceLimit: Duration
    /// The longest exchange, which ends endless keepalives.
    private let exchangeLimit: Duration
    /// The usual limit of an exchange; no user takes that long.
    package static let exchangeLimit = Duration.seconds(180)
    /// The end of the exchange, also if keepalives arrive.
    private var end = Duration.zero

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

    package init(silenceLimit: Duration = .seconds(5), exchangeLimit: Duration = Self.exchangeLimit) {
        (self.silenceLimit, self.exchangeLimit) = (silenceLimit, exchangeLimit)
    }

    // MARK: Exchanges

    /// Requests a channel, with a nonce of eight random bytes; the exchange finishes with the INIT answer's payload.
    package mutating func open(nonce: [UInt8], now: Duration) -> [CTAPHIDClientAction] {
        open(nonce: nonce, next: nil, now: now)
    }

    /// Sends a message, after requesting a channel if there is none; the exchange finishes with the answer's payload.
    package mutating func request(
        _ command: CTAPHIDCommand, _ payload: [UInt8], nonce: [UInt8], now: Duration
    ) -> [CTAPHIDClientAction] {
        let request = Request(command: command, payload: payload)
        return initialization == nil ? open(nonce: nonce, next: request, now: now) : begin(request, now: now)
    }

    /// Sends CANCEL for the request, and waits for its answer up to the silence limit.
    package mutating func cancel(now: Duration) -> [CTAPHIDClientAction] {
        switch phase {
        case .opening(let nonce, .some(var next)):
            next.isCancelled = true
            phase = .opening(nonce: nonce, next: next)
            return []
        case .waiting(var request, let assembler) where !request.isCancelled:
            request.isCancelled = true
            phase = .waiting(request, assembler)
            end = min(end, now + silenceLimit)
            deadline = deadline.map { min($0, end) }
            return [cancelMessage].compactMap { $0 }
        default:
            return []
        }
    }

    package mutating func abandon(_ error: CTAPDeviceError) -> [CTAPHIDClientAction] {
        if case .idle = phase { return [] }
        return fail(error)
    }

    // MARK: Events

    /// Ends an exchange that lasted too long; sends CANCEL first where the device still waits for the user.
    package mutating func tick(now: Duration) -> [CTAPHIDClientAction] {
        guard let deadline, now >= deadline else { return [] }
        guard now >= end, lastStatus != nil else {
            return fail(.timedOut("no report for \(min(silenceLimit, exchangeLimit))"))
        }
        // Otherwise the device would go on waiting for the user, and refuse the next request as busy.
        let cancel = isCancelled ? nil : cancelMessage
        return [cancel].compactMap(\.self) + fail(.timedOut("it sent only keepalives"))
    }

    /// Handles a report; reports outside the exchange are ignored.
    package mutating func receive(_ report: [UInt8], now: Duration) -> [CTAPHIDClientAction] {
        guard let packet = try? CTAPHIDPacket(report: report) else { return [] }
        switch phase {
        case .idle: return []
        case .opening(let nonce, let next):
            guard packet.channel == .broadcast else { return [] }
            return receive(packet, opening: nonce, next: next, now: now)
        case .waiting(let request, let assembler):
            guard packet.channel == initialization?.channel else { return [] }
            deadline = min(now + silenceLimit, end)
            // Dropping this copy lets the assembler append in place.
            phase = .waiting(request, nil)
            return receive(packet, request: request, assembler: assembler)
        }
    }

    // MARK: Steps

    private mutating func open(nonce: [UInt8], next: Request?, now: Duration) -> [CTAPHIDClientAction] {
        initialization = nil
        phase = .opening(nonce: nonce, next: next)
        lastStatus = nil
        end = now + exchangeLimit
        deadline = now + silenceLimit
        return [.send(CTAPHIDMessage(channel: .broadcast, command: .initialize, fitting: nonce).packets)]
    }

    private mutating func begin(_ request: Request, now: Duration) -> [CTAPHIDClientAction] {
        guard let channel = initialization?.channel else { return fail(.disconnected("no channel")) }
        do {
            let message = try CTAPHIDMessage(channel: channel, command: request.command, payload: request.payload)
            phase = .waiting(request, nil)
            end = now + (request.isCancelled ? silenceLimit : exchangeLimit)
            deadline = now + silenceLimit
            lastStatus = nil
            return [.send(message.packets)] + [request.isCancelled ? cancelMessage : nil].compactMap { $0 }
        } catch {
            return finish(.failure(.protocolViolation("\(error)")))
        }
    }

    private var isCancelled: Bool { if case .waiting(let request, _) = phase { request.isCancelled } else { false } }

    private var cancelMessage: CTAPHIDClientAction? {
        guard let channel = initialization?.channel else { return nil }
        return .send(CTAPHIDMessage(channel: channel, command: .cancel, fitting: []).packets)
    }

    private mutating func receive(
        _ packet: CTAPHIDPacket, opening nonce: [UInt8], next: Request?, now: Duration
    ) -> [CTAPHIDClientAction] {
        guard let message = try? CTAPHIDAssembler(first: packet).message else { return [] }
        if message.command == .error { return fail(Self.error(for: message.payload)) }
        // Every client receives the answers on the broadcast channel; the nonce identifies this client's (§11.2.9.1.3).
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
        case request.command: return finish(.success(message.payload))
        case .keepalive:
            // Repetitions keep the exchange alive; only a change is reported.
            guard let status = message.payload.first.flatMap(KeepaliveStatus.init(rawValue:)), status != lastStatus
            else {
                return []
            }
            lastStatus = status
            return [.keepalive(status)]
        case .error: return fail(Self.error(for: message.payload))
        default:
            return fail(.protocolViolation("the device answered \(request.command) with \(message.command)"))
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

    /// The error of an answer that is CTAPHID_ERROR.
    package static func error(for payload: [UInt8]) -> CTAPDeviceError {
        guard let byte = payload.first else { return .protocolViolation("the device answered ERROR without a code") }
        let code = CTAPHIDErrorCode(rawValue: byte)
        return switch code {
        case .channelBusy: .busy
        case .messageTimeout: .messageTimeout
        case .invalidChannel: .disconnected("the device no longer knows the channel")
        default: .protocolViolation("the device answered \(code)")
        }
    }
}
