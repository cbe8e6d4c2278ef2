internal import NIOCore
internal import NIOHTTP1
internal import NIOTLS

/// A request of a ``LoopbackClient``.
struct LoopbackRequest: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer
}

/// Sends one request at a time on a connection, and collects its response.
final class LoopbackExchange: ChannelDuplexHandler {
    typealias Promise = EventLoopPromise<(LoopbackClient.Answer, isKept: Bool)>
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = (LoopbackRequest, Promise)
    typealias OutboundOut = HTTPClientRequestPart

    struct Closed: Error, CustomStringConvertible {
        let description = "the server closed the connection without an answer"
    }

    struct NotSent: Error, CustomStringConvertible {
        let description = "the server closed the connection before the request"
    }

    private var promise: Promise?
    private var head: HTTPResponseHead?
    private var body: [UInt8] = []
    private let handshake: EventLoopPromise<Void>?

    /// - Parameter handshake: is kept when the connection's TLS handshake ends; nil without TLS.
    init(handshake: EventLoopPromise<Void>?) { self.handshake = handshake }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { handshake?.succeed() }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let (request, answered) = unwrapOutboundIn(data)
        guard context.channel.isActive else {
            answered.fail(NotSent())
            promise?.fail(NotSent())
            return
        }
        self.promise = answered
        context.write(wrapOutboundOut(.head(request.head)), promise: nil)
        if request.body.readableBytes > 0 {
            context.write(wrapOutboundOut(.body(.byteBuffer(request.body))), promise: nil)
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): (self.head, body) = (head, [])
        case .body(let bytes): body += bytes.readableBytesView
        case .end:
            guard let head else { return }
            let answer = LoopbackClient.Answer(
                status: Int(head.status.code), fields: head.headers.map { ($0.name.lowercased(), $0.value) }, body: body
            )
            finish(.success((answer, isKept: head.isKeepAlive)))
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        handshake?.fail(error)
        finish(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        handshake?.fail(NotSent())
        finish(.failure(Closed()))
        context.fireChannelInactive()
    }

    private func finish(_ result: Result<(LoopbackClient.Answer, isKept: Bool), any Error>) {
        let promise = promise
        self.promise = nil
        promise?.completeWith(result)
    }
}
