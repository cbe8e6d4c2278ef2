import NIOCore
import NIOPosix
import TestSupport
import Testing
import Transports

/// vpcd's side of its socket, without pcscd.
final class VirtualReader: Sendable {
    /// A card that has connected.
    actor Visit {
        private let channel: any Channel
        private let chunks: AsyncStream<[UInt8]>
        private var buffer: [UInt8] = []

        init(_ channel: any Channel, _ chunks: AsyncStream<[UInt8]>) {
            self.channel = channel
            self.chunks = chunks
        }

        /// Sends a message, given as hexadecimal digits, with its length before it.
        func send(_ message: String) async throws {
            let message = [UInt8](hex: message)
            try await sendBytes([UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message)
        }

        func sendBytes(_ bytes: [UInt8]) async throws {
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
        }

        /// The next message as hexadecimal digits; `nil` when the card has left.
        func receive() async -> String? {
            while true {
                if buffer.count >= 2 {
                    let length = Int(buffer[0]) << 8 | Int(buffer[1])
                    if buffer.count >= 2 + length {
                        defer { buffer.removeFirst(2 + length) }
                        return Array(buffer[2..<2 + length]).hex
                    }
                }
                guard let chunk = await chunks.first(where: { _ in true }) else { return nil }
                buffer += chunk
            }
        }

        func close() async {
            try? await channel.close()
        }
    }

    private let visits: AsyncStream<Visit>

    private init(_ visits: AsyncStream<Visit>) {
        self.visits = visits
    }

    /// Listens on a free port for as long as `use` runs; an endpoint of the configuration finds it.
    static func with(_ use: (VirtualReader, VPCDEndpoint.Configuration) async throws -> Void) async throws {
        let (visits, continuation) = AsyncStream.makeStream(of: Visit.self)
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (chunks, chunk) = AsyncStream.makeStream(of: [UInt8].self)
                    try channel.pipeline.syncOperations.addHandler(Receiver(chunk))
                    continuation.yield(Visit(channel, chunks))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        var configuration = VPCDEndpoint.Configuration()
        configuration.port = try #require(server.localAddress?.port)
        configuration.shortestAbsence = .zero
        do {
            try await use(VirtualReader(visits), configuration)
        } catch {
            try? await server.close()
            throw error
        }
        try await server.close()
    }

    /// The next card that connects.
    func nextCard() async throws -> Visit {
        try #require(await visits.first { _ in true })
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let chunks: AsyncStream<[UInt8]>.Continuation

        init(_ chunks: AsyncStream<[UInt8]>.Continuation) {
            self.chunks = chunks
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            chunks.yield(Array(buffer: unwrapInboundIn(data)))
        }

        func channelInactive(context: ChannelHandlerContext) {
            chunks.finish()
        }
    }
}
