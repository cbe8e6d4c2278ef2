internal import ServiceLifecycle

/// A harness that listens.
public struct RunningHarness: Sendable {
    /// The port it listens on.
    public let port: Int
    private let server: HarnessServer
    private let group: ServiceGroup
    private let run: Task<Void, any Error>

    init(port: Int, server: HarnessServer, group: ServiceGroup, run: Task<Void, any Error>) {
        self.port = port
        self.server = server
        self.group = group
        self.run = run
    }

    /// Where clients find it, such as `http://localhost:8080`.
    public var baseURL: String { server.baseURL(port: port) }

    /// The origins it accepts.
    public var origins: [String] { server.service.origins.all }

    /// Finishes the requests under way and closes the port and the database; stopping twice does no harm.
    public func stop() async {
        await group.triggerGracefulShutdown()
        // How the server ended matters to nobody who wanted it to end.
        _ = await run.result
        server.close()
    }
}
