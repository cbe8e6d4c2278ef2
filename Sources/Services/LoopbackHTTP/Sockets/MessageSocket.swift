internal import Foundation
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket

/// A WebSocket on this computer.
package struct MessageSocket: Sendable {
    /// The messages of the other side, until the connection ends.
    package let messages: AsyncStream<[UInt8]>
    private let channel: any Channel
    /// Only a client masks its frames (RFC 6455 §5.3).
    private let isClient: Bool
    private let form: Form

    /// The form of the messages that are sent.
    package enum Form: Sendable {
        /// Texts in UTF-8.
        case text
        case binary

        fileprivate var opcode: WebSocketOpcode { self == .text ? .text : .binary }
    }

    /// The largest message to and from a browser, in bytes: messages carry whole pages and screenshots.
    static let usualLimit = 1 << 28

    private static let mostFragments = 1 << 16

    /// The address of an endpoint, such as `ws://localhost:9222/devtools/browser/ID`.
    package struct Address: Hashable, Sendable {
        package let port: Int
        package let path: String

        package init(port: Int, path: String) { (self.port, self.path) = (port, path) }

        /// - Throws: ``SocketError`` for a URL other than that of a WebSocket on this computer.
        package init(_ text: String) throws(SocketError) {
            guard let url = URLComponents(string: text), url.scheme == "ws", let port = url.port,
                let host = url.host, Loopback.isHost(host)
            else { throw SocketError(description: "“\(text)” is not a WebSocket URL of this computer") }
            self.port = port
            path = url.path.isEmpty ? "/" : url.path
        }
    }

    /// Takes over a channel whose frames are those of a WebSocket; runs on the channel's loop.
    init(_ channel: any Channel, isClient: Bool, form: Form = .text, largestMessage: Int = usualLimit) throws {
        let (messages, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(FrameRules(isClient: isClient))
        try pipeline.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: isClient ? .max : Self.mostFragments,
                maxAccumulatedFrameSize: largestMessage))
        try pipeline.addHandler(MessageSocketHandler(continuation, isClient: isClient))
        // A connection that ends while it becomes a WebSocket is inactive before the handler is there to notice.
        channel.closeFuture.whenComplete { _ in continuation.finish() }
        self.messages = messages
        self.channel = channel
        self.isClient = isClient
        self.form = form
    }

    package static func connect(to address: Address) async throws -> MessageSocket {
        let upgraded = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let upgrader = NIOTypedWebSocketClientUpgrader(maxFrameSize: usualLimit) { channel, _ in
                        channel.eventLoop.makeCompletedFuture { try MessageSocket(channel, isClient: true) }
                    }
                    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.path)
                    head.headers.add(name: "Host", value: "localhost:\(address.port)")
                    var configuration = NIOUpgradableHTTPClientPipelineConfiguration<MessageSocket>(
                        upgradeConfiguration: .init(
                            upgradeRequestHead: head, upgraders: [upgrader],
                            notUpgradingCompletionHandler: { channel in
                                let refused = SocketError(description: "the other side refuses the WebSocket")
                                channel.close(promise: nil)
                                return channel.eventLoop.makeFailedFuture(refused)
                            }))
                    // The first message may arrive together with the answer to the upgrade.
                    configuration.leftOverBytesStrategy = .forwardBytes
                    return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
                        configuration: configuration)
                }
            }
        return try await upgraded.get()
    }

    package func send(_ message: [UInt8]) { channel.writeAndFlush(frame(message), promise: nil) }

    /// Sends a message; `act` follows when the system has it, or the connection has ended.
    func send(_ message: [UInt8], then act: @escaping @Sendable () -> Void) {
        channel.writeAndFlush(frame(message)).whenComplete { _ in act() }
    }

    private func frame(_ message: [UInt8]) -> WebSocketFrame {
        WebSocketFrame(
            fin: true, opcode: form.opcode, maskKey: isClient ? .random() : nil, data: ByteBuffer(bytes: message))
    }

    package func close() { channel.close(promise: nil) }

    func requestContext(_ logger: Logger, _ cancellation: RequestCancellation) -> ClientContext {
        ClientContext(source: ApplicationRequestContextSource(channel: channel, logger: logger), cancellation)
    }
}

/// The reason why a WebSocket cannot be opened.
package struct SocketError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}

/// Reads the frames of a WebSocket.
private final class MessageSocketHandler: ChannelInboundHandler {
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
        case .text, .binary:
            let bytes = Array(frame.unmaskedData.readableBytesView)
            // A text is in UTF-8 (RFC 6455 §8.1); a browser's own texts may be very long, and are.
            guard isClient || frame.opcode == .binary || String(bytes: bytes, encoding: .utf8) != nil else {
                return context.closeSocket(.dataInconsistentWithMessage, isClient: isClient)
            }
            messages.yield(bytes)
        case .ping: send(.pong, frame.unmaskedData, context)
        case .connectionClose:
            // The side that is told answers before it closes (RFC 6455 §5.5.1).
            send(.connectionClose, frame.unmaskedData, context)
            context.close(promise: nil)
        default: break
        }
    }

    /// Firefox sends the parts of a message apart, and waits for an acknowledgement, which the system would delay by 40 ms.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isClient { context.channel.setOption(.tcpOption(.quickAcknowledgement), value: 1).whenFailure { _ in } }
        context.fireChannelReadComplete()
    }

    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: isClient ? .random() : nil, data: data)
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
            context.closeSocket(.messageTooLarge, isClient: isClient)
        case is NIOWebSocketFrameAggregator.Error: context.closeSocket(.protocolError, isClient: isClient)
        default: context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        messages.finish()
        context.fireChannelInactive()
    }
}

extension NIOBSDSocket.Option {
    /// `TCP_QUICKACK`, which holds until the system sets it back.
    fileprivate static let quickAcknowledgement = NIOBSDSocket.Option(rawValue: TCP_QUICKACK)
}
