internal import NIOCore

/// A client's connection to a device's socket; every line gets a line in answer.
///
/// If the listener stops while a connection arrives, the connection is closed, because a dropped `NIOAsyncChannel` ends
/// the process.
struct DeviceSocketConnection: Sendable {
    /// The longest line in bytes, more than any request needs; a longer line is another protocol.
    static let longestLine = 64 * 1024

    private let channel: any Channel
    private let chunks: AsyncStream<ByteBuffer>

    /// Takes over a channel without automatic reads; call it on the channel's event loop.
    init(taking channel: any Channel) throws {
        let (chunks, chunk) = AsyncStream.makeStream(of: ByteBuffer.self)
        chunk.onTermination = { _ in channel.close(promise: nil) }
        self.channel = channel
        self.chunks = chunks
        try channel.pipeline.syncOperations.addHandler(Reader(chunk))
    }

    /// Answers lines until the client closes, a line is too long, or the task is cancelled; then closes.
    func serve(_ answer: @escaping @Sendable ([UInt8]) async throws -> [UInt8]) async {
        await withTaskCancellationHandler {
            try? await answerLines(answer)
            channel.close(promise: nil)
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private func answerLines(_ answer: @escaping @Sendable ([UInt8]) async throws -> [UInt8]) async throws {
        var buffer: [UInt8] = []
        // Reading no more requests than can be answered bounds the memory a client takes.
        channel.read()
        for await chunk in chunks {
            buffer += Array(chunk.readableBytesView)
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")), end <= Self.longestLine {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                try await channel.writeAndFlush(ByteBuffer(bytes: answerUntilClosed(line, answer)))
            }
            guard buffer.count <= Self.longestLine else { return }
            channel.read()
        }
    }

    /// The answer to a line; a client that closes meanwhile cancels the work.
    private func answerUntilClosed(
        _ line: [UInt8], _ answer: @escaping @Sendable ([UInt8]) async throws -> [UInt8]
    ) async throws -> [UInt8] {
        let task = Task { try await answer(line) }
        channel.closeFuture.whenComplete { _ in task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let chunk: AsyncStream<ByteBuffer>.Continuation

        init(_ chunk: AsyncStream<ByteBuffer>.Continuation) { self.chunk = chunk }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { chunk.yield(unwrapInboundIn(data)) }

        func channelInactive(context: ChannelHandlerContext) { chunk.finish() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
