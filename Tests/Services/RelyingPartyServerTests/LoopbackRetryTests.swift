import LoopbackHTTP
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Requests whose connection ends, and requests of tasks that are cancelled.
@Suite struct LoopbackRetryTests {
    @Test("A request that changes something is sent once, although its connection ended without an answer")
    func unsafe() async throws {
        try await AbruptServer.with { server in
            let client = LoopbackClient(port: server.port)
            let first = try await client.send("GET", "/first")
            #expect(first.status == 200)
            await #expect(throws: LoopbackClientError.self) { try await client.send("POST", "/second", body: [1]) }
            #expect(server.requests == ["GET /first", "POST /second"])
        }
    }

    @Test("A request that changes nothing is sent again on a new connection")
    func safe() async throws {
        try await AbruptServer.with { server in
            let client = LoopbackClient(port: server.port)
            for path in ["/first", "/second"] {
                let answer = try await client.send("GET", path)
                #expect(answer.status == 200)
            }
            #expect(server.requests == ["GET /first", "GET /second", "GET /second"])
        }
    }

    @Test("A cancelled task does not wait for the answer")
    func cancellation() async throws {
        try await AbruptServer.with(answers: false) { server in
            let client = LoopbackClient(port: server.port)
            let task = Task { try await client.send("GET", "/silent") }
            #expect(await server.arrivals.first { _ in true } == "GET /silent")
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let late = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.send("GET", "/never")
            }
            await #expect(throws: CancellationError.self) { try await late.value }
            #expect(server.requests == ["GET /silent"])
        }
    }
}

/// A server that answers the first request of each connection, and closes the connection at the second.
private final class AbruptServer: Sendable {
    private let seen = Mutex<[String]>([])
    private let arrival: AsyncStream<String>.Continuation
    /// Each request as it arrives.
    let arrivals: AsyncStream<String>
    private let listener = Mutex<(any Channel)?>(nil)

    private init() {
        (arrivals, arrival) = AsyncStream.makeStream()
    }

    var requests: [String] { seen.withLock { $0 } }

    var port: Int { listener.withLock { $0?.localAddress?.port } ?? 0 }

    static func with(answers: Bool = true, _ use: (AbruptServer) async throws -> Void) async throws {
        let server = AbruptServer()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Connection(server: server, answers: answers))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        server.listener.withLock { $0 = channel }
        try await use(server)
        try await channel.close()
    }

    private func note(_ request: String) {
        seen.withLock { $0.append(request) }
        arrival.yield(request)
    }

    private final class Connection: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: AbruptServer
        private let answers: Bool
        private var received = ""
        private var count = 0

        init(server: AbruptServer, answers: Bool) {
            (self.server, self.answers) = (server, answers)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            guard received.contains("\r\n\r\n") else { return }
            server.note(received.split(separator: " ").prefix(2).joined(separator: " "))
            (received, count) = ("", count + 1)
            guard answers else { return }
            guard count == 1 else { return context.close(promise: nil) }
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
    }
}
