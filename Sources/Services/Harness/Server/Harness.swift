internal import Hummingbird
internal import LoopbackHTTP
internal import ServiceLifecycle

/// A relying party over HTTP, with its state in SQLite.
///
/// ```swift
/// let harness = try await Harness.start()
/// // … talk to harness.baseURL …
/// await harness.stop()
/// ```
package enum Harness {
    /// Starts a harness inside this process; it listens when this returns.
    ///
    /// - Throws: the reason why the database cannot be opened or the port not be bound.
    package static func start(
        _ configuration: HarnessConfiguration = HarnessConfiguration()
    ) async throws -> RunningHarness {
        let server = try HarnessServer(configuration: configuration)
        do {
            let running = try await RunningServer.start(logger: configuration.logger, server.application)
            return RunningHarness(running: running, server: server)
        } catch {
            server.close()
            throw error
        }
    }

    /// Runs a harness until the process is told to stop (SIGINT, SIGTERM); requests under way are finished first.
    ///
    /// - Parameter onListening: is told the base URL once the harness listens.
    /// - Throws: the reason why the database cannot be opened or the port not be bound.
    package static func run(
        _ configuration: HarnessConfiguration = HarnessConfiguration(),
        onListening: @escaping @Sendable (_ baseURL: String) -> Void = { _ in }
    ) async throws {
        let server = try HarnessServer(configuration: configuration)
        defer { server.close() }
        try await server.application { onListening(server.baseURL(port: $0)) }.runService()
    }
}
