internal import Documents
internal import Foundation
internal import LoopbackHTTP
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

/// A WebSocket to a browser on this computer; each message is a JSON value.
struct JSONSocket: Sendable {
    /// The messages of the other side, until the connection ends.
    let messages: AsyncStream<JSONValue>
    private let channel: any Channel

    /// Messages carry whole pages and screenshots.
    private static let largestMessage = 1 << 28

    /// The address of an endpoint, such as `ws://localhost:9222/devtools/browser/ID`.
    struct Address: Hashable, Sendable {
        let port: Int
        let path: String

        /// - Throws: ``BrowserError`` for a URL that is no WebSocket on this computer.
        init(_ text: String) throws(BrowserError) {
            guard let url = URLComponents(string: text), url.scheme == "ws", let port = url.port,
                let host = url.host, Loopback.isHost(host)
            else { throw BrowserError(description: "“\(text)” is not a WebSocket URL of this computer") }
            self.port = port
            path = url.path.isEmpty ? "/" : url.path
        }
    }

    /// Opens a WebSocket.
    static func connect(to address: Address) async throws -> JSONSocket {
        let (messages, continuation) = AsyncStream.makeStream(of: JSONValue.self)
        let upgraded = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOTypedWebSocketClientUpgrader(maxFrameSize: largestMessage) { channel, _ in
                        channel.eventLoop.makeCompletedFuture {
                            let pipeline = channel.pipeline.syncOperations
                            try pipeline.addHandler(
                                NIOWebSocketFrameAggregator(
                                    minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: .max,
                                    maxAccumulatedFrameSize: largestMessage))
                            try pipeline.addHandler(JSONSocketHandler(continuation))
                            return channel
                        }
                    }
                    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.path)
                    head.headers.add(name: "Host", value: "localhost:\(address.port)")
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: .init(
                            upgradeConfiguration: .init(
                                upgradeRequestHead: head, upgraders: [upgrader],
                                notUpgradingCompletionHandler: { channel in
                                    let refused = BrowserError(description: "the browser refuses the WebSocket")
                                    channel.close(promise: nil)
                                    return channel.eventLoop.makeFailedFuture(refused)
                                })))
                }
            }
        return JSONSocket(messages: messages, channel: try await upgraded.get())
    }

    /// Sends a message.
    func send(_ message: JSONValue) throws {
        let text = ByteBuffer(bytes: try message.bytes())
        channel.writeAndFlush(
            WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: text), promise: nil)
    }

    func close() { channel.close(promise: nil) }
}

/// Reads the frames of a WebSocket.
private final class JSONSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let messages: AsyncStream<JSONValue>.Continuation

    init(_ messages: AsyncStream<JSONValue>.Continuation) { self.messages = messages }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            // A browser sends nothing but JSON.
            guard let message = try? JSONValue(parsing: Array(frame.unmaskedData.readableBytesView)) else {
                return context.close(promise: nil)
            }
            messages.yield(message)
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose: context.close(promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        messages.finish()
        context.fireChannelInactive()
    }
}
