internal import ControlAPI
internal import Documents
internal import LoopbackHTTP
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A connection to Firefox's Marionette, which performs the commands of classic WebDriver.
///
/// A message is its length in decimal digits, a colon, and a list in JSON: `[0, id, command, parameters]` or
/// `[1, id, error, result]`.
final class Marionette: Sendable {
    private typealias Waiting = CheckedContinuation<[JSONValue]?, Never>

    private struct State {
        var waiting: [Int: Waiting] = [:]
        var lastID = 0
        var isClosed = false
    }

    /// The error of a command: WebDriver's code and Firefox's words.
    struct Refusal: Error, Sendable {
        let code: String
        let message: String
    }

    private let channel: any Channel
    private let state = Mutex(State())

    static func connect(port: Int) async throws -> Marionette {
        let (messages, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ByteToMessageHandler(MarionetteFrames()))
                    try pipeline.addHandler(MarionetteReader(continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        return Marionette(channel, messages)
    }

    /// Reads the messages until the connection ends.
    private init(_ channel: any Channel, _ messages: AsyncStream<[UInt8]>) {
        self.channel = channel
        Task {
            for await text in messages {
                // The greeting is not a list.
                guard let message = (try? JSONValue(parsing: text))?.array, message.count == 4,
                    let id = message[1].integer
                else { continue }
                state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: message)
            }
            let waiting = state.withLock { state in
                state.isClosed = true
                defer { state.waiting = [:] }
                return state.waiting.values
            }
            for continuation in waiting { continuation.resume(returning: nil) }
        }
    }

    /// - Throws: ``Refusal``.
    func perform(_ command: MarionetteCommand) async throws(Refusal) -> JSONValue {
        let answer = await withCheckedContinuation { (continuation: Waiting) in
            let id = state.withLock { state -> Int? in
                guard !state.isClosed else { return nil }
                state.lastID += 1
                state.waiting[state.lastID] = continuation
                return state.lastID
            }
            guard let id else { return continuation.resume(returning: nil) }
            let message: JSONValue = [0, .integer(id), .text(command.name), .object(command.parameters)]
            guard let text = try? message.bytes() else {
                state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
                return
            }
            var buffer = channel.allocator.buffer(capacity: text.count + 12)
            buffer.writeString("\(text.count):")
            buffer.writeBytes(text)
            channel.writeAndFlush(buffer, promise: nil)
        }
        guard let answer else {
            throw Refusal(code: WebDriverError.unknownError.rawValue, message: "Firefox has ended.")
        }
        if let error = answer[2].object {
            throw Refusal(code: error["error"]?.text ?? "", message: error["message"]?.text ?? "")
        }
        // A single value comes as a member.
        if let members = answer[3].object, members.count == 1, let value = members["value"] { return value }
        return answer[3]
    }

    func close() { channel.close(promise: nil) }
}

/// Takes a stream apart into messages.
private struct MarionetteFrames: ByteToMessageDecoder {
    typealias InboundOut = ByteBuffer

    struct Malformed: Error {}

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        let bytes = buffer.readableBytesView
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return .needMoreData }
        guard let length = Int(String(decoding: bytes[..<colon], as: UTF8.self)), length >= 0 else { throw Malformed() }
        let head = bytes.distance(from: bytes.startIndex, to: colon) + 1
        guard bytes.count - head >= length else { return .needMoreData }
        buffer.moveReaderIndex(forwardBy: head)
        guard let message = buffer.readSlice(length: length) else { return .needMoreData }
        context.fireChannelRead(wrapInboundOut(message))
        return .continue
    }
}

private final class MarionetteReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let messages: AsyncStream<[UInt8]>.Continuation

    init(_ messages: AsyncStream<[UInt8]>.Continuation) { self.messages = messages }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        messages.yield(Array(unwrapInboundIn(data).readableBytesView))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        messages.finish()
        context.fireChannelInactive()
    }
}
