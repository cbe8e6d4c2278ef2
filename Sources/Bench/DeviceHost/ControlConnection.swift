internal import NIOCore

/// A terminal's connection to a control socket, on which every line gets a line in answer.
///
/// It needs no care: one that nobody serves, since the listener stopped as it came in, is closed when it is dropped. A
/// `NIOAsyncChannel` that is dropped ends the process.
struct ControlConnection: Sendable {
    /// More than any command needs; a longer line is somebody else's protocol.
    static let longestLine = 64 * 1024

    private let channel: any Channel
    private let chunks: AsyncStream<ByteBuffer>

    /// Takes over a channel that reads one message when told to; to be called on its event loop.
    init(taking channel: any Channel) throws {
        let (chunks, chunk) = AsyncStream.makeStream(of: ByteBuffer.self)
        chunk.onTermination = { _ in channel.close(promise: nil) }
        self.channel = channel
        self.chunks = chunks
        try channel.pipeline.syncOperations.addHandler(Reader(chunk))
    }

    /// Answers lines until the other side has no more, a line is too long, or the task is cancelled; closed then.
    func serve(_ answer: ([UInt8]) async throws -> [UInt8]) async {
        await withTaskCancellationHandler {
            try? await answerLines(answer)
            channel.close(promise: nil)
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private func answerLines(_ answer: ([UInt8]) async throws -> [UInt8]) async throws {
        var buffer: [UInt8] = []
        // Reading only what can be answered keeps a terminal that never stops talking out of memory.
        channel.read()
        for await chunk in chunks {
            buffer += Array(chunk.readableBytesView)
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")), end <= Self.longestLine {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                try await channel.writeAndFlush(ByteBuffer(bytes: answer(line)))
            }
            guard buffer.count <= Self.longestLine else { return }
            channel.read()
        }
    }

    /// Hands on what comes in.
    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let chunk: AsyncStream<ByteBuffer>.Continuation

        init(_ chunk: AsyncStream<ByteBuffer>.Continuation) {
            self.chunk = chunk
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            chunk.yield(unwrapInboundIn(data))
        }

        func channelInactive(context: ChannelHandlerContext) {
            chunk.finish()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
