internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// The answers of a ``SocketServer``, and its WebSockets.
package protocol SocketEndpoint: Sendable {
    /// The largest message, in bytes; a larger one ends its WebSocket.
    var largestMessage: Int { get }

    /// Answers a plain request, whose field `Host` is the host.
    func answer(_ method: String, _ target: String, host: String) async -> SocketServer.Answer

    /// Whether a caller may open the WebSocket at a path; the origin is a page's, and nil for a program.
    func admits(_ origin: String?, to path: String) -> Bool

    /// Serves a WebSocket until it ends.
    func serve(_ socket: MessageSocket, at path: String) async
}

/// WebSockets and plain answers on a port of 127.0.0.1.
///
/// It refuses a foreign `Host`, as browsers' own endpoints do, every `Origin` that the endpoint does not accept, and requests
/// of other sites' pages. Callers without a WebSocket have ten seconds for their request.
package struct SocketServer: Sendable {
    package struct Answer: Sendable {
        let status: Int
        let type: String
        let body: [UInt8]

        package init(status: Int, type: String = "application/json; charset=UTF-8", body: [UInt8] = []) {
            (self.status, self.type, self.body) = (status, type, body)
        }
    }

    private let listener: LoopbackListener
    package var port: Int { listener.port }

    /// Listens when this returns; port 0 is a free one.
    package static func start(port: Int = 0, _ endpoint: any SocketEndpoint) async throws -> SocketServer {
        SocketServer(listener: try await LoopbackListener.start(port: port) { try configure($0, endpoint) })
    }

    private static func configure(_ channel: any Channel, _ endpoint: any SocketEndpoint) throws {
        let end = channel.eventLoop.scheduleTask(in: LoopbackListener.patience) { channel.close(promise: nil) }
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            maxFrameSize: endpoint.largestMessage,
            shouldUpgrade: { channel, head in
                let source = RequestSource(head.headers)
                let isWelcome =
                    hasOwnHost(head) && (source.origin != nil || source.isOfOwnSite)
                    && endpoint.admits(source.origin, to: head.uri)
                return channel.eventLoop.makeSucceededFuture(isWelcome ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, head in
                end.cancel()
                return channel.eventLoop.makeCompletedFuture {
                    let socket = try MessageSocket(channel, isClient: false, largestMessage: endpoint.largestMessage)
                    Task { await endpoint.serve(socket, at: head.uri) }
                }
            })
        _ = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
            configuration: .init(
                upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                    upgraders: [upgrader],
                    notUpgradingCompletionHandler: { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(PlainRequests(endpoint))
                        }
                    })))
    }

    fileprivate static func hasOwnHost(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"]
        return hosts.count == 1 && Loopback.isHost(ofAuthority: hosts[0])
    }

    /// Closes the port; open connections go on.
    package func stop() async { await listener.stop() }
}

/// Answers requests for no WebSocket, each on a connection of its own.
private final class PlainRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let endpoint: any SocketEndpoint
    private var hasHead = false

    init(_ endpoint: any SocketEndpoint) { self.endpoint = endpoint }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            hasHead = true
            // No request needs a body.
            context.channel.answer(head, by: endpoint)
        case .body: break
        // The upgrade has taken the head of a refused WebSocket.
        case .end: if !hasHead { context.channel.send(SocketServer.Answer(status: 403)) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension SocketEndpoint {
    package var largestMessage: Int { MessageSocket.usualLimit }
}

extension Channel {
    fileprivate func answer(_ head: HTTPRequestHead, by endpoint: any SocketEndpoint) {
        Task {
            let source = RequestSource(head.headers)
            guard SocketServer.hasOwnHost(head), source.origin == nil, source.isOfOwnSite else {
                return send(SocketServer.Answer(status: 403))
            }
            send(await endpoint.answer(head.method.rawValue, head.uri, host: head.headers["Host"][0]))
        }
    }

    fileprivate func send(_ answer: SocketServer.Answer) {
        var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status))
        head.headers = [
            "Content-Type": answer.type, "Content-Length": "\(answer.body.count)", "Connection": "close",
        ]
        write(HTTPServerResponsePart.head(head), promise: nil)
        write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: answer.body))), promise: nil)
        writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in self.close(promise: nil) }
    }
}
