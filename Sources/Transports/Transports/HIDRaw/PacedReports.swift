import NIOCore

/// Sends each report in a write of its own, with its number, at a pace at which no key loses any.
final class PacedReports: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var pace = ReportPace.toKey
    private var waiting = CircularBuffer<(report: ByteBuffer, promise: EventLoopPromise<Void>?)>()
    private var isPausing = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.append((unwrapOutboundIn(data), promise))
        if !isPausing { send(context) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pace.refill()
        context.fireChannelRead(data)
    }

    /// Reports that wait leave before the end, such as the cancellation of a long request.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        while let next = waiting.popFirst() { send(next.report, next.promise, context) }
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        let left = waiting
        waiting = []
        for (_, promise) in left { promise?.fail(ChannelError.ioOnClosedChannel) }
    }

    private func send(_ context: ChannelHandlerContext) {
        while let next = waiting.first {
            let turn = pace.takeTurn(at: NIODeadline.now().uptimeNanoseconds)
            guard turn == 0 else { return sendLater(context, after: .nanoseconds(Int64(turn))) }
            waiting.removeFirst()
            send(next.report, next.promise, context)
        }
    }

    private func sendLater(_ context: ChannelHandlerContext, after pause: TimeAmount) {
        isPausing = true
        context.eventLoop.assumeIsolated().scheduleTask(in: pause) { [self] in
            isPausing = false
            guard let next = waiting.popFirst() else { return }
            send(next.report, next.promise, context)
            send(context)
        }
    }

    private func send(_ report: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
        // Each write is one report, so each is flushed; hidraw expects the report's number, 0, in front.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: [0] + Array(buffer: report))), promise: promise)
    }
}
