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
    /// Starts a harness in this process; returns when it is listening.
    ///
    /// - Throws: the error of opening the database or binding the port.
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

    /// Runs a harness until SIGINT or SIGTERM, which let running requests finish.
    ///
    /// - Parameter onListening: called with the base URL when the harness is listening.
    /// - Throws: the error of opening the database or binding the port.
    package static func run(
        _ configuration: HarnessConfiguration = HarnessConfiguration(),
        onListening: @escaping @Sendable (_ baseURL: String) -> Void = { _ in }
    ) async throws {
        let server = try HarnessServer(configuration: configuration)
        defer { server.close() }
        try await server.application { onListening(server.baseURL(port: $0)) }.runService()
    }
}
