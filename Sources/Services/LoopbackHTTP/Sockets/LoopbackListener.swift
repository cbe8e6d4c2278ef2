internal import Machine
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A port of 127.0.0.1 for WebSockets, with a limit for its connections.
struct LoopbackListener: Sendable {
    /// The time that a caller has for its request.
    static let patience = TimeAmount.seconds(10)

    private let channel: any Channel
    let port: Int

    /// Listens when this returns; port 0 is a free one.
    ///
    /// - Parameter configure: prepares each connection.
    static func start(
        port: Int, _ configure: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> LoopbackListener {
        let connections = OpenConnections()
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try connections.add(channel)
                    try configure(channel)
                }
            }
            .bind(host: "127.0.0.1", port: port).get()
        return LoopbackListener(channel: channel, port: channel.localAddress?.port ?? port)
    }

    /// Closes the port; open connections go on.
    func stop() async { try? await channel.close() }
}

/// The number of a server's connections.
private final class OpenConnections: Sendable {
    private struct TooMany: Error {}

    private let most = max(8, min(512, Limits.descriptors / 8))
    private let count = Mutex(0)

    /// - Throws: an error, which closes the connection, when there are too many.
    func add(_ channel: any Channel) throws {
        let isWelcome = count.withLock { count in
            guard count < most else { return false }
            count += 1
            return true
        }
        guard isWelcome else { throw TooMany() }
        channel.closeFuture.whenComplete { _ in self.count.withLock { $0 -= 1 } }
    }
}
