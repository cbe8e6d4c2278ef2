internal import ControlAPI
internal import Documents
internal import Foundation
internal import LoopbackHTTP
internal import MachineNeeds
internal import NIOCore
internal import NIOPosix

/// A driver such as chromedriver that this program starts and ends.
package struct DriverProcess: Sendable {
    package let address: DriverAddress
    private let program: StartedProgram

    /// The longest start of a driver on a busy computer.
    private static let patience = Duration.seconds(30)

    /// Starts a driver on a free port; it takes sessions when this returns.
    package static func start(_ program: String) async throws -> DriverProcess {
        let port = try await freePort()
        // A page that guesses the port cannot guess the path: chromedriver itself takes `/shutdown` from every page.
        let name = program.split(separator: "/").last?.lowercased() ?? ""
        let path = ["chromedriver", "edgedriver"].contains(where: name.contains) ? "/" + AccessToken().text : ""
        let arguments = ["--port=\(port)"] + (path.isEmpty ? [] : ["--url-base=\(path)"])
        let started: DriverProcess
        do {
            started = DriverProcess(
                address: DriverAddress(port: port, path: path), program: try StartedProgram(program, arguments))
        } catch {
            throw DriverStartError(description: "\(program) cannot be started: \(error.localizedDescription)")
        }
        do {
            try await started.waitUntilReady(program)
        } catch {
            await started.stop()
            throw error
        }
        return started
    }

    /// Waits until the driver ends, by itself or because another program ends it.
    package func waitUntilEnd() async { await program.waitUntilEnd() }

    /// Ends the driver, whose browsers end with their sessions.
    package func stop() async { await program.stop() }

    private static func freePort() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close()
        return port
    }

    /// Asks for the driver's status until it says that it is ready.
    private func waitUntilReady(_ name: String) async throws {
        let client = LoopbackClient(port: address.port)
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            guard program.isRunning else {
                throw DriverStartError(
                    description: program.status == StartedProgram.notFound
                        ? MachineNeed.chromeDriver.absence(for: .webdriver, named: "the driver \(name)")
                        : "the driver \(name) ended at once, with status \(program.status)")
            }
            if let answer = try? await client.send("GET", address.path + "/status"), answer.status == 200,
                try JSONValue(parsing: answer.body)["value"]?["ready"] == true
            {
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw DriverStartError(description: "the driver \(name) is not ready after \(Self.patience)")
    }
}

/// The reason why a driver could not be started.
package struct DriverStartError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
