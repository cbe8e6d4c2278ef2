package import Hummingbird
package import Logging
internal import ServiceLifecycle

/// A listening HTTP server.
package struct RunningServer: Sendable {
    package let port: Int
    private let group: ServiceGroup
    private let run: Task<Void, any Error>

    /// Starts a server; returns when it is listening.
    ///
    /// - Parameter makeApplication: creates the server, which calls the argument with its port before any request.
    /// - Throws: the error of binding the port, and that of `makeApplication`.
    package static func start(
        logger: Logger, _ makeApplication: (@escaping @Sendable (Int) -> Void) throws -> some ApplicationProtocol
    ) async throws -> RunningServer {
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        var configuration = ServiceGroupConfiguration(
            services: [try makeApplication { announcement.yield($0) }], logger: logger)
        // A client that never finishes its request must not prevent the shutdown.
        configuration.maximumGracefulShutdownDuration = .seconds(1)
        let group = ServiceGroup(configuration: configuration)
        let run = Task {
            defer { announcement.finish() }
            try await group.run()
        }
        for await port in ports {
            return RunningServer(port: port, group: group, run: run)
        }
        // The server failed, or the calling task was cancelled.
        run.cancel()
        if case .failure(let error) = await run.result, !(error is CancellationError) { throw error }
        throw ServerError.stoppedBeforeListening
    }

    /// Finishes running requests and closes the port; a second call has no effect.
    package func stop() async {
        await group.triggerGracefulShutdown()
        // Errors of a server that is being stopped are irrelevant.
        _ = await run.result
    }
}

/// The reason why a server did not start.
package enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The task that started it was cancelled.
    case stoppedBeforeListening

    package var description: String {
        switch self {
        case .stoppedBeforeListening: "the server was stopped before it was listening"
        }
    }
}
