internal import Hummingbird
internal import LoopbackHTTP

/// A WebDriver server whose sessions' pages are answered by simulated devices.
package struct WebDriverServer: Sendable {
    private let running: RunningServer
    private let sessions: DriverSessions

    /// Starts a server on 127.0.0.1, which listens when this returns; throws when the port cannot be opened.
    package static func start(_ configuration: WebDriverConfiguration) async throws -> WebDriverServer {
        let driver = Driver(configuration.driver)
        let sessions = DriverSessions(driver, configuration)
        let responder = CommandResponder(driver: driver, sessions: sessions, logger: configuration.logger)
        let running = try await RunningServer.start(logger: configuration.logger) { onListening in
            Application(
                responder: responder, server: .loopback,
                configuration: .loopback(
                    .hostname("127.0.0.1", port: configuration.port), logger: configuration.logger),
                onServerRunning: { channel in channel.localAddress?.port.map(onListening) },
                logger: configuration.logger)
        }
        return WebDriverServer(running: running, sessions: sessions)
    }

    package var port: Int { running.port }

    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Ends all sessions with their browsers, and closes the port.
    package func stop() async {
        await sessions.closeAll()
        await running.stop()
    }
}
