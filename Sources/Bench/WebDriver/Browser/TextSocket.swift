internal import Foundation
internal import LoopbackHTTP
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

/// A WebSocket on this computer; each message is a text, in UTF-8.
struct TextSocket: Sendable {
    /// The messages of the other side, until the connection ends.
    let messages: AsyncStream<[UInt8]>
    private let channel: any Channel
    /// Only a client masks its frames (RFC 6455 §5.3).
    private let isClient: Bool

    /// Messages carry whole pages and screenshots.
    static let largestMessage = 1 << 28

    /// The address of an endpoint, such as `ws://localhost:9222/devtools/browser/ID`.
    struct Address: Hashable, Sendable {
        let port: Int
        let path: String

        init(port: Int, path: String) { (self.port, self.path) = (port, path) }

        /// - Throws: ``BrowserError`` for a URL that is no WebSocket on this computer.
        init(_ text: String) throws(BrowserError) {
            guard let url = URLComponents(string: text), url.scheme == "ws", let port = url.port,
                let host = url.host, Loopback.isHost(host)
            else { throw BrowserError(description: "“\(text)” is not a WebSocket URL of this computer") }
            self.port = port
            path = url.path.isEmpty ? "/" : url.path
        }
    }

    /// Takes over a channel whose frames are those of a WebSocket; runs on the channel's loop.
    init(_ channel: any Channel, isClient: Bool) throws {
        let (messages, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: .max,
                maxAccumulatedFrameSize: Self.largestMessage))
        try pipeline.addHandler(TextSocketHandler(continuation, isClient: isClient))
        self.messages = messages
        self.channel = channel
        self.isClient = isClient
    }

    /// Opens a WebSocket.
    static func connect(to address: Address) async throws -> TextSocket {
        let upgraded = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOTypedWebSocketClientUpgrader(maxFrameSize: largestMessage) { channel, _ in
                        channel.eventLoop.makeCompletedFuture { try TextSocket(channel, isClient: true) }
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
        return try await upgraded.get()
    }

    /// Sends a message.
    func send(_ text: [UInt8]) {
        let frame = WebSocketFrame(
            fin: true, opcode: .text, maskKey: isClient ? .random() : nil, data: ByteBuffer(bytes: text))
        channel.writeAndFlush(frame, promise: nil)
    }

    func close() { channel.close(promise: nil) }
}

/// Reads the frames of a WebSocket.
private final class TextSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let messages: AsyncStream<[UInt8]>.Continuation
    private let isClient: Bool

    init(_ messages: AsyncStream<[UInt8]>.Continuation, isClient: Bool) {
        self.messages = messages
        self.isClient = isClient
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text: messages.yield(Array(frame.unmaskedData.readableBytesView))
        case .ping: send(.pong, frame.unmaskedData, context)
        case .connectionClose:
            // The side that is told answers before it closes (RFC 6455 §5.5.1).
            send(.connectionClose, frame.unmaskedData, context)
            context.close(promise: nil)
        default: break
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: isClient ? .random() : nil, data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        messages.finish()
        context.fireChannelInactive()
    }
}
