internal import LoopbackHTTP

/// A listening harness.
package struct RunningHarness: Sendable {
    private let running: RunningServer
    private let server: HarnessServer

    init(running: RunningServer, server: HarnessServer) {
        self.running = running
        self.server = server
    }

    /// The port it listens on.
    package var port: Int { running.port }

    /// The base URL, such as `http://localhost:8080`.
    package var baseURL: String { server.baseURL(port: port) }

    /// The origins it accepts.
    package var origins: [String] { server.service.origins.all }

    /// Finishes running requests, and closes the port and the database; a second call has no effect.
    package func stop() async {
        await running.stop()
        server.close()
    }
}
