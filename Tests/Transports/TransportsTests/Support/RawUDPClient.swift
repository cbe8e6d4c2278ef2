import CTAPHID
import NIOCore
import NIOPosix
import Transports

/// A socket that sends any datagram and returns the answers.
struct RawUDPClient {
    private let channel: any Channel
    private let reports: AsyncStream<[UInt8]>

    init(port: Int) async throws {
        let (reports, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        self.reports = reports
        channel = try await DatagramBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(continuation: continuation))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    func send(_ datagram: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: datagram))
    }

    func send(_ command: CTAPHIDCommand, _ payload: [UInt8] = [], on channel: CTAPHIDChannel) async throws {
        for packet in try CTAPHIDMessage(channel: channel, command: command, payload: payload).packets {
            try await send(packet.report)
        }
    }

    /// The next message received.
    func next() async throws -> CTAPHIDMessage? {
        var assembler: CTAPHIDAssembler?
        for await report in reports {
            let packet = try CTAPHIDPacket(report: report)
            if assembler == nil {
                assembler = try CTAPHIDAssembler(first: packet)
            } else {
                try assembler?.append(packet)
            }
            if let message = assembler?.message { return message }
        }
        return nil
    }

    func close() async throws {
        try await channel.close()
    }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let continuation: AsyncStream<[UInt8]>.Continuation

    init(continuation: AsyncStream<[UInt8]>.Continuation) {
        self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        continuation.yield(Array(buffer: unwrapInboundIn(data).data))
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
    }
}
