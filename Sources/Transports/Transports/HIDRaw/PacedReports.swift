import NIOCore

/// Sends reports one write each, with their number, and at a pace that no key loses any.
final class PacedReports: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var pace = ReportPace.toKey
    private var waiting = CircularBuffer<(report: ByteBuffer, promise: EventLoopPromise<Void>?)>()
    private var isPausing = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.append((unwrapOutboundIn(data), promise))
        if !isPausing { send(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting = []
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
