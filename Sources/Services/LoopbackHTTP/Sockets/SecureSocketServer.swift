internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket
internal import Synchronization

/// The decisions of a ``SecureSocketServer``, and its WebSockets.
package protocol SecureSocketEndpoint: Sendable {
    /// The largest message, in bytes; a larger one ends its WebSocket.
    var largestMessage: Int { get }

    /// Decides about a request for a WebSocket.
    func decide(_ request: SecureSocketServer.Request) -> SecureSocketServer.Decision

    /// Serves a WebSocket with binary messages until it ends.
    func serve(_ socket: MessageSocket, of request: SecureSocketServer.Request) async
}

/// WebSockets over TLS on a port of 127.0.0.1, for a service that clients know by names of its own.
///
/// Callers have ten seconds for their request.
package struct SecureSocketServer: Sendable {
    /// A request for a WebSocket.
    package struct Request: Sendable {
        /// The path and query, such as `/cable/new/00112233`.
        package let target: String
        private let headers: HTTPHeaders

        fileprivate init(_ head: HTTPRequestHead) { (target, headers) = (head.uri, head.headers) }

        /// The first value of a field.
        package func value(of name: String) -> String? { headers.first(name: name) }
    }

    /// The answer to a request for a WebSocket, with further fields.
    package enum Decision: Sendable {
        case open(fields: [(String, String)] = [])
        case refuse(status: Int, fields: [(String, String)] = [])
    }

    private static let patience = TimeAmount.seconds(10)

    private let channel: any Channel
    package let port: Int

    /// Listens when this returns; port 0 is a free one.
    ///
    /// - Throws: ``SocketError`` for a port that is taken.
    package static func start(
        port: Int = 0, tls: ServerTLS, _ endpoint: any SecureSocketEndpoint
    ) async throws -> SecureSocketServer {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(tls.handler())
                    try configure(channel, endpoint)
                }
            }
        do {
            let channel = try await bootstrap.bind(host: "127.0.0.1", port: port).get()
            return SecureSocketServer(channel: channel, port: channel.localAddress?.port ?? port)
        } catch {
            throw SocketError(description: "port \(port) of 127.0.0.1 cannot be used (\(error)); choose another one")
        }
    }

    private static func configure(_ channel: any Channel, _ endpoint: any SecureSocketEndpoint) throws {
        let end = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        let refusal = Refusal()
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            maxFrameSize: endpoint.largestMessage,
            shouldUpgrade: { channel, head in
                let answer: HTTPHeaders?
                switch endpoint.decide(Request(head)) {
                case .open(let fields): answer = HTTPHeaders(fields)
                case .refuse(let status, let fields):
                    refusal.set(status, fields)
                    answer = nil
                }
                return channel.eventLoop.makeSucceededFuture(answer)
            },
            upgradePipelineHandler: { channel, head in
                end.cancel()
                return channel.eventLoop.makeCompletedFuture {
                    let socket = try MessageSocket(
                        channel, isClient: false, form: .binary, largestMessage: endpoint.largestMessage)
                    Task { await endpoint.serve(socket, of: Request(head)) }
                }
            })
        _ = try channel.pipeline.syncOperations.configureUpgradableHTTPServerPipeline(
            configuration: .init(
                upgradeConfiguration: NIOTypedHTTPServerUpgradeConfiguration(
                    upgraders: [upgrader],
                    notUpgradingCompletionHandler: { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(RefusedRequests(refusal))
                        }
                    })))
    }

    /// Closes the port; open connections go on.
    package func stop() async { try? await channel.close() }

    /// The answer to a connection's request that opens no WebSocket.
    fileprivate final class Refusal: Sendable {
        private let state = Mutex<(status: Int, fields: [(String, String)])>((426, [("Upgrade", "websocket")]))

        func set(_ status: Int, _ fields: [(String, String)]) { state.withLock { $0 = (status, fields) } }

        var head: HTTPResponseHead {
            let (status, fields) = state.withLock { $0 }
            var head = HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status))
            head.headers = HTTPHeaders(fields + [("Content-Length", "0"), ("Connection", "close")])
            return head
        }
    }
}

/// Answers requests that open no WebSocket, each on a connection of its own.
private final class RefusedRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let refusal: SecureSocketServer.Refusal

    init(_ refusal: SecureSocketServer.Refusal) { self.refusal = refusal }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = unwrapInboundIn(data) else { return }
        let channel = context.channel
        channel.write(HTTPServerResponsePart.head(refusal.head), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
