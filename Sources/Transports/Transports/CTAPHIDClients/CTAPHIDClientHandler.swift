import CTAP
import CTAPHID
import Foundation
import NIOCore

/// Drives a ``CTAPHIDClient`` from a channel: supplies reports and time, and performs its actions.
///
/// It runs on its channel's event loop, which also serialises its exchanges.
final class CTAPHIDClientHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The time before INIT is repeated during a power cycle; the convention says 0.25 s.
    private static let powerUpInterval: Duration = .milliseconds(250)

    private let silenceLimit: @Sendable () -> Duration
    private var client: CTAPHIDClient
    private var context: ChannelHandlerContext?
    private var current: CTAPHIDExchange?
    private var waiting: [CTAPHIDExchange] = []
    private var timerDeadline: Duration?
    private var powerUpDeadline: Duration?

    /// - Parameters:
    ///   - silenceLimit: gives the longest silence; it is asked at each request and report.
    ///   - exchangeLimit: the longest exchange.
    init(silenceLimit: @escaping @Sendable () -> Duration, exchangeLimit: Duration) {
        self.silenceLimit = silenceLimit
        client = CTAPHIDClient(silenceLimit: silenceLimit(), exchangeLimit: exchangeLimit)
    }

    var initialization: CTAPHIDInitialization? { client.initialization }

    // MARK: Calls from the connection

    func enqueue(_ exchange: CTAPHIDExchange) {
        guard context != nil else { return exchange.finish(.failure(.disconnected("the connection is closed"))) }
        guard case .powerCycle = exchange.kind else {
            waiting.append(exchange)
            return beginNext()
        }
        // The power goes off now, not after the running request.
        send([PowerCycleReport.bytes])
        waiting.insert(exchange, at: 0)
        perform(client.abandon(.disconnected("the device was power-cycled")))
        beginNext()
    }

    func cancel(_ id: CTAPHIDExchange.ID) {
        if current?.id === id {
            perform(client.cancel(now: now))
        } else if let index = waiting.firstIndex(where: { $0.id === id }) {
            waiting[index].isCancelled = true
        }
    }

    // MARK: Channel events

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if powerUpDeadline == nil { client.silenceLimit = silenceLimit() }
        perform(client.receive(Array(buffer: unwrapInboundIn(data)), now: now))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A device that is powering up may refuse datagrams for a moment.
        guard powerUpDeadline == nil else { return }
        let problem = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
        perform(client.abandon(.disconnected("the connection was lost: \(problem)")))
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        let error = CTAPDeviceError.disconnected("the connection is closed")
        let unserved = waiting
        waiting = []
        perform(client.abandon(error))
        for exchange in unserved { exchange.finish(.failure(error)) }
        context.fireChannelInactive()
    }

    // MARK: Steps

    private var now: Duration { .nanoseconds(Int64(truncatingIfNeeded: NIODeadline.now().uptimeNanoseconds)) }

    private var nonce: [UInt8] { (0..<CTAPHIDInitialization.nonceLength).map { _ in .random(in: .min ... .max) } }

    private func beginNext() {
        guard current == nil, !waiting.isEmpty else { return }
        let exchange = waiting.removeFirst()
        current = exchange
        client.silenceLimit = silenceLimit()
        switch exchange.kind {
        case .open: perform(client.open(nonce: nonce, now: now))
        case .request(let command, let payload): perform(client.request(command, payload, nonce: nonce, now: now))
        case .powerCycle:
            powerUpDeadline = now + client.silenceLimit
            client.silenceLimit = min(Self.powerUpInterval, client.silenceLimit)
            perform(client.open(nonce: nonce, now: now))
        }
        if exchange.isCancelled { perform(client.cancel(now: now)) }
    }

    private func perform(_ actions: [CTAPHIDClientAction]) {
        for action in actions {
            switch action {
            case .send(let packets): send(packets.map(\.report))
            case .keepalive(let status): current?.onKeepalive(status)
            case .finish(let result): finish(result)
            }
        }
        armTimer()
    }

    private func finish(_ result: Result<[UInt8], CTAPDeviceError>) {
        if let deadline = powerUpDeadline {
            if case .failure(.timedOut) = result, now < deadline {
                return perform(client.open(nonce: nonce, now: now))
            }
            powerUpDeadline = nil
        }
        let exchange = current
        current = nil
        exchange?.finish(result)
        beginNext()
    }

    private func send(_ reports: [[UInt8]]) {
        guard let context else { return }
        for report in reports {
            context.write(NIOAny(ByteBuffer(bytes: report)), promise: nil)
        }
        context.flush()
    }

    /// Schedules a tick at the deadline unless an earlier one is scheduled; most exchanges end long before theirs.
    private func armTimer() {
        guard let deadline = client.deadline, let context else { return }
        if let timerDeadline, timerDeadline <= deadline { return }
        timerDeadline = deadline
        let loopBound = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TimeAmount(deadline - now)) {
            let handler = loopBound.value
            if handler.timerDeadline == deadline { handler.timerDeadline = nil }
            handler.perform(handler.client.tick(now: handler.now))
        }
    }
}
