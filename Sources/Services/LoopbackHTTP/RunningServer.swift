package import Hummingbird
package import Logging
internal import ServiceLifecycle

/// An HTTP server that listens.
package struct RunningServer: Sendable {
    /// The port it listens on.
    package let port: Int
    private let group: ServiceGroup
    private let run: Task<Void, any Error>

    /// Starts a server; it listens when this returns.
    ///
    /// - Parameter makeApplication: makes the server, which calls what it is given with its port before it takes the
    ///   first request.
    /// - Throws: the reason why the port cannot be bound.
    package static func start(
        logger: Logger, _ makeApplication: (@escaping @Sendable (Int) -> Void) -> some ApplicationProtocol
    ) async throws -> RunningServer {
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        var configuration = ServiceGroupConfiguration(
            services: [makeApplication { announcement.yield($0) }], logger: logger)
        // A client that never finishes its request does not keep the program from ending.
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: configuration)
        let run = Task {
            defer { announcement.finish() }
            try await group.run()
        }
        for await port in ports {
            return RunningServer(port: port, group: group, run: run)
        }
        // The server has failed, or whoever waits for it does not any more.
        run.cancel()
        if case .failure(let error) = await run.result, !(error is CancellationError) { throw error }
        throw ServerError.stoppedBeforeListening
    }

    /// Finishes the requests under way and closes the port; stopping twice does no harm.
    package func stop() async {
        await group.triggerGracefulShutdown()
        // How the server ended matters to nobody who wanted it to end.
        _ = await run.result
    }
}

/// Why a server did not start.
package enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The task that started it was cancelled.
    case stoppedBeforeListening

    package var description: String {
        switch self {
        case .stoppedBeforeListening: "the server was stopped before it listened"
        }
    }
}
