package import NIOCore
package import NIOHTTPTypes

/// Closes a connection whose request takes too long to arrive.
///
/// The server's own time-out restarts with each part of a body. One byte now and then would hold a connection for ever.
package final class RequestTimeLimit: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart

    /// The time from a request's head to the end of its body.
    package static let usual = TimeAmount.seconds(60)

    private var isArriving = false
    private var timeout: Scheduled<Void>?
    private var isOver = false

    package init() {}

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A closed channel still passes on the rest of a read: a body that lacks a part must not look complete.
        guard !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head: isArriving = true
        case .body: break
        case .end:
            isArriving = false
            cancel()
        }
        context.fireChannelRead(data)
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests arrive in one read and need no timer.
        if isArriving, timeout == nil {
            timeout = context.eventLoop.assumeIsolated().scheduleTask(in: Self.usual) { [self] in
                isOver = true
                context.close(promise: nil)
            }
        }
        context.fireChannelReadComplete()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    private func cancel() {
        timeout?.cancel()
        timeout = nil
    }
}
