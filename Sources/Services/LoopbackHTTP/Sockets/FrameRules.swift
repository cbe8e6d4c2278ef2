internal import NIOCore
internal import NIOWebSocket

/// Ends a WebSocket whose other side breaks the rules for frames, which the decoder does not check (RFC 6455 §5.1, §5.2, §5.5.1).
final class FrameRules: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let isClient: Bool
    /// Whether the other side has closed the WebSocket, or broken a rule; frames that follow are ignored.
    private var isOver = false

    private static let opcodes: Set<WebSocketOpcode> = [
        .continuation, .text, .binary, .connectionClose, .ping, .pong,
    ]

    init(isClient: Bool) { self.isClient = isClient }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        let frame = unwrapInboundIn(data)
        let isClose = frame.opcode == .connectionClose
        // A client masks every frame, a server none. No extension gives a meaning to the reserved bits.
        guard (frame.maskKey == nil) == isClient, frame.reservedBits.isEmpty, Self.opcodes.contains(frame.opcode),
            !isClose || Self.isCloseBody(frame.unmaskedData)
        else {
            isOver = true
            return context.closeSocket(.protocolError, isClient: isClient)
        }
        isOver = isClose
        context.fireChannelRead(data)
    }

    /// Whether a close frame's body is empty, or begins with a status code that may be sent (RFC 6455 §7.4).
    private static func isCloseBody(_ body: ByteBuffer) -> Bool {
        guard body.readableBytes > 0 else { return true }
        guard let code = body.getInteger(at: body.readerIndex, as: UInt16.self) else { return false }
        return (1000...4999).contains(code) && ![1004, 1005, 1006, 1015].contains(code)
    }
}

extension ChannelHandlerContext {
    /// Tells the other side why the WebSocket ends, and closes the connection.
    func closeSocket(_ code: WebSocketErrorCode, isClient: Bool) {
        var body = channel.allocator.buffer(capacity: 2)
        body.write(webSocketErrorCode: code)
        let frame = WebSocketFrame(
            fin: true, opcode: .connectionClose, maskKey: isClient ? .random() : nil, data: body)
        writeAndFlush(NIOAny(frame), promise: nil)
        close(promise: nil)
    }
}
