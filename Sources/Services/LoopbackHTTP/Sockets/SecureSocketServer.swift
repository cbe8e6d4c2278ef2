internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket
internal import Synchronization

/// The decisions of a ``SecureSocketServer``, and its WebSockets.
package protocol SecureSocketEndpoint: Sendable {
    /// The place that an accepted request gets.
    associatedtype Place: Sendable

    /// The largest message, in bytes; a larger one ends its WebSocket.
    var largestMessage: Int { get }

    /// Decides about a request for a WebSocket.
    func decide(_ request: SecureSocketServer.Request) -> SecureSocketServer.Decision<Place>

    /// Serves a WebSocket with binary messages until it ends.
    func serve(_ socket: MessageSocket, at place: Place) async

    /// Frees a place whose connection ended before its WebSocket was open.
    func free(_ place: Place)
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
    package enum Decision<Place: Sendable>: Sendable {
        case open(Place, fields: [(String, String)] = [])
        case refuse(status: Int, fields: [(String, String)] = [])
    }

    private let listener: LoopbackListener
    package var port: Int { listener.port }

    /// Listens when this returns; port 0 is a free one.
    ///
    /// - Throws: ``SocketError`` for a port that is taken.
    package static func start(
        port: Int = 0, tls: ServerTLS, _ endpoint: some SecureSocketEndpoint
    ) async throws -> SecureSocketServer {
        do {
            let listener = try await LoopbackListener.start(port: port) { channel in
                try channel.pipeline.syncOperations.addHandler(tls.handler())
                try configure(channel, endpoint)
            }
            return SecureSocketServer(listener: listener)
        } catch {
            throw SocketError(description: "port \(port) of 127.0.0.1 cannot be used (\(error)); choose another one")
        }
    }

    private static func configure<Endpoint: SecureSocketEndpoint>(
        _ channel: any Channel, _ endpoint: Endpoint
    ) throws {
        let end = channel.eventLoop.scheduleTask(in: LoopbackListener.patience) { channel.close(promise: nil) }
        let refusal = Refusal()
        let box = Reserved<Endpoint.Place>()
        channel.closeFuture.whenComplete { _ in if let place = box.take() { endpoint.free(place) } }
        let upgrader = NIOTypedWebSocketServerUpgrader<Void>(
            maxFrameSize: endpoint.largestMessage,
            shouldUpgrade: { channel, head in
                let answer: HTTPHeaders?
                switch endpoint.decide(Request(head)) {
                case .open(let place, let fields):
                    box.keep(place)
                    answer = HTTPHeaders(fields)
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
                    guard let place = box.take() else { return socket.close() }
                    Task { await endpoint.serve(socket, at: place) }
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
    package func stop() async { await listener.stop() }

    /// The place of a connection until its WebSocket is open.
    private final class Reserved<Place: Sendable>: Sendable {
        private let place = Mutex<Place?>(nil)

        func keep(_ place: Place) { self.place.withLock { $0 = place } }

        func take() -> Place? {
            place.withLock { place in
                defer { place = nil }
                return place
            }
        }
    }

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
