internal import Hummingbird
package import Logging
internal import LoopbackHTTP

/// An HTTP server of the libraries that this program's servers use, without their work: the answer to a request is its
/// body.
///
/// The servers' rows are ratios to it. It runs in another process, as they do.
package struct BareServer: Sendable {
    private let running: RunningServer

    /// Starts it on a free port of 127.0.0.1; it listens when this returns.
    package static func start(logger: Logger) async throws -> BareServer {
        let router = Router()
        router.post("/") { request, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: try await request.body.collect(upTo: 1024)))
        }
        let running = try await RunningServer.start(logger: logger) { onListening in
            Application(
                router: router, server: .loopback,
                configuration: .loopback(.hostname("127.0.0.1", port: 0), logger: logger),
                onServerRunning: { channel in channel.localAddress?.port.map(onListening) }, logger: logger)
        }
        return BareServer(running: running)
    }

    package var port: Int { running.port }

    package func stop() async { await running.stop() }

    /// Starts it in a process, and uses it.
    static func with<Result>(
        _ executable: String, connections count: Int,
        _ use: (_ process: ChildProcess, _ connections: [Connection]) async throws -> Result
    ) async throws -> Result {
        let process = try ChildProcess(executable, ["bench", "--bare-server"])
        defer { process.stop() }
        let port = try process.port(/listening on http:..127.0.0.1:([0-9]+)/)
        return try await use(process, (0..<count).map { _ in Connection(port: port) })
    }

    /// A client with a connection of its own.
    struct Connection: Sendable {
        // About as long as the requests and answers of a ceremony.
        private static let body = [UInt8](repeating: 65, count: 512)
        private let http: LoopbackClient

        init(port: Int) { http = LoopbackClient(port: port) }

        func exchange() async throws {
            let answer = try await http.send(
                "POST", "/", fields: [("Content-Type", "application/json")], body: Self.body
            ).checked()
            guard answer == Self.body else { throw BenchmarkFailure(description: "the bare server changed the body") }
        }
    }
}
