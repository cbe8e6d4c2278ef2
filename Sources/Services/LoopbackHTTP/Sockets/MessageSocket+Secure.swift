internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

extension MessageSocket {
    /// A request for a WebSocket with binary messages over TLS.
    package struct SecureRequest: Sendable {
        /// The server's address and port.
        package var host = "127.0.0.1"
        package var port: Int
        /// The name in the field `Host`.
        package var authority: String
        /// The path and query.
        package var target: String
        package var fields: [(String, String)] = []
        /// The largest message from the server, in bytes.
        package var largestMessage: Int

        package init(port: Int, authority: String, target: String, largestMessage: Int) {
            (self.port, self.authority, self.target) = (port, authority, target)
            self.largestMessage = largestMessage
        }
    }

    /// A WebSocket that the server opened, with the fields of its answer.
    package struct Opened: Sendable {
        package let socket: MessageSocket
        private let headers: HTTPHeaders

        fileprivate init(_ socket: MessageSocket, _ headers: HTTPHeaders) {
            (self.socket, self.headers) = (socket, headers)
        }

        /// The first value of a field.
        package func value(of name: String) -> String? { headers.first(name: name) }
    }

    /// The time in which a server has to answer.
    private static let patience = TimeAmount.seconds(30)

    /// Opens a WebSocket.
    ///
    /// - Throws: ``SocketRefusal`` for another answer than an open WebSocket, ``SocketError`` without a connection.
    package static func open(_ request: SecureRequest, tls: ClientTLS) async throws -> Opened {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let refused = loop.makePromise(of: HTTPResponseHead.self)
        do {
            let upgraded = try await ClientBootstrap(group: loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: request.host, port: request.port) { channel in
                    let end = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                    return channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(tls.handler())
                        return try upgrade(channel, request, refused) { end.cancel() }
                    }
                }
            if let opened = try await upgraded.get() {
                refused.fail(ChannelError.eof)
                return opened
            }
            guard let head = try? await refused.futureResult.get() else {
                throw SocketError(
                    description: "the server at port \(request.port) closed the connection without an answer")
            }
            throw SocketRefusal(status: Int(head.status.code), location: head.headers.first(name: "Location"))
        } catch let error where error is SocketRefusal || error is SocketError {
            throw error
        } catch {
            refused.fail(error)
            throw SocketError(description: "the server at port \(request.port) cannot be reached: \(error)")
        }
    }

    private static func upgrade(
        _ channel: any Channel, _ request: SecureRequest, _ refused: EventLoopPromise<HTTPResponseHead>,
        onOpened: @escaping @Sendable () -> Void
    ) throws -> EventLoopFuture<Opened?> {
        let upgrader = NIOTypedWebSocketClientUpgrader<Opened?>(maxFrameSize: request.largestMessage) { channel, head in
            onOpened()
            return channel.eventLoop.makeCompletedFuture {
                let socket = try MessageSocket(
                    channel, isClient: true, form: .binary, largestMessage: request.largestMessage)
                return Opened(socket, head.headers)
            }
        }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: request.target)
        head.headers = HTTPHeaders([("Host", request.authority)] + request.fields)
        var configuration = NIOUpgradableHTTPClientPipelineConfiguration<Opened?>(
            upgradeConfiguration: .init(
                upgradeRequestHead: head, upgraders: [upgrader],
                notUpgradingCompletionHandler: { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(RefusalHead(refused))
                        return nil
                    }
                }))
        // The first message may arrive together with the answer to the upgrade.
        configuration.leftOverBytesStrategy = .forwardBytes
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(configuration: configuration)
    }
}

/// The status with which a server refuses a WebSocket.
package struct SocketRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package let status: Int
    /// The place that a redirect names.
    package let location: String?

    package var description: String {
        "the server refuses the WebSocket with status \(status)" + (location.map { " and leads to \($0)" } ?? "")
    }
}

/// Takes the head of an answer that opens no WebSocket.
private final class RefusalHead: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let promise: EventLoopPromise<HTTPResponseHead>

    init(_ promise: EventLoopPromise<HTTPResponseHead>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        promise.succeed(head)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        promise.fail(error)
        context.close(promise: nil)
    }
}
