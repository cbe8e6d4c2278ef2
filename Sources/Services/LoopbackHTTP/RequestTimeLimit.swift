package import NIOCore
package import NIOHTTPTypes

/// Closes a connection whose request takes too long to arrive.
///
/// The server's own time-out counts from the last part of a body, so that one byte now and then would hold a connection
/// for ever.
package final class RequestTimeLimit: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = HTTPRequestPart

    /// The time from a request's head to the end of its body.
    package static let usual = TimeAmount.seconds(60)

    private var deadline: NIODeadline?

    package init() {}

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: deadline = context.eventLoop.now + Self.usual
        case .body:
            if let deadline, context.eventLoop.now > deadline {
                context.close(promise: nil)
                return
            }
        case .end: deadline = nil
        }
        context.fireChannelRead(data)
    }
}
