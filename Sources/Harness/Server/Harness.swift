internal import Hummingbird
internal import ServiceLifecycle

/// A relying party over HTTP, with its state in SQLite.
///
/// ```swift
/// let harness = try await Harness.start()
/// // … talk to harness.baseURL …
/// await harness.stop()
/// ```
public enum Harness {
    /// Starts a harness inside this process; it listens when this returns.
    ///
    /// - Throws: the reason why the database cannot be opened or the port not be bound.
    public static func start(
        _ configuration: HarnessConfiguration = HarnessConfiguration()
    ) async throws -> RunningHarness {
        let server = try HarnessServer(configuration: configuration)
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [server.application { announcement.yield($0) }], logger: configuration.logger))
        let run = Task {
            defer { announcement.finish() }
            try await group.run()
        }
        for await port in ports {
            return RunningHarness(port: port, server: server, group: group, run: run)
        }
        // The server has failed, or whoever waits for it does not any more.
        run.cancel()
        let result = await run.result
        server.close()
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
        throw HarnessError.stoppedBeforeListening
    }

    /// Runs a harness until the process is told to stop (SIGINT, SIGTERM); requests under way are finished first.
    ///
    /// - Parameter onListening: is told the base URL once the harness listens.
    /// - Throws: the reason why the database cannot be opened or the port not be bound.
    public static func run(
        _ configuration: HarnessConfiguration = HarnessConfiguration(),
        onListening: @escaping @Sendable (_ baseURL: String) -> Void = { _ in }
    ) async throws {
        let server = try HarnessServer(configuration: configuration)
        defer { server.close() }
        try await server.application { onListening(server.baseURL(port: $0)) }.runService()
    }
}

/// Why a harness did not start.
public enum HarnessError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The task that started it was cancelled.
    case stoppedBeforeListening

    public var description: String {
        switch self {
        case .stoppedBeforeListening: "the harness was stopped before it listened"
        }
    }
}
