internal import Documents
internal import Foundation
internal import LoopbackHTTP
internal import NIOCore
internal import NIOPosix

/// A driver such as chromedriver that this program starts and ends.
package struct DriverProcess: Sendable {
    package let address: DriverAddress
    private let process: Process
    private let exit: AsyncStream<Int32>

    /// The longest start of a driver on a busy computer.
    private static let patience = Duration.seconds(30)
    /// The status of `env` for a program that it does not find.
    private static let notFound: Int32 = 127

    /// Starts a driver on a free port; it takes sessions when this returns.
    package static func start(_ program: String) async throws -> DriverProcess {
        let port = try await freePort()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program, "--port=\(port)"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let (exits, exit) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { ended in
            exit.yield(ended.terminationStatus)
            exit.finish()
        }
        do {
            try process.run()
        } catch {
            throw DriverStartError(description: "\(program) cannot be started: \(error.localizedDescription)")
        }
        let started = DriverProcess(address: DriverAddress(port: port), process: process, exit: exits)
        do {
            try await started.waitUntilReady(program)
        } catch {
            await started.stop()
            throw error
        }
        return started
    }

    /// Ends the driver, whose browsers end with their sessions.
    package func stop() async {
        // A driver inherits the signals that this program ignores, SIGTERM among them.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        for await _ in exit {}
    }

    private static func freePort() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close()
        return port
    }

    /// Asks for the driver's status until it says that it is ready.
    private func waitUntilReady(_ program: String) async throws {
        let client = LoopbackClient(port: address.port)
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            guard process.isRunning else {
                let status = process.terminationStatus
                throw DriverStartError(
                    description: status == Self.notFound
                        ? "the driver \(program) was not found; install it, or name its file with --driver"
                        : "the driver \(program) ended at once, with status \(status)")
            }
            if let answer = try? await client.send("GET", "/status"), answer.status == 200,
                try JSONValue(parsing: answer.body)["value"]?["ready"] == true
            {
                return
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw DriverStartError(description: "the driver \(program) is not ready after \(Self.patience)")
    }
}

/// The reason why a driver could not be started.
package struct DriverStartError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
}
