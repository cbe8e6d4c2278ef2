import Dispatch
import Foundation
import Synchronization

/// Cancels long-running commands on Ctrl-C or a termination signal.
enum Interruption {
    private static let server = Mutex<Task<Void, Never>?>(nil)

    /// Serves until the work ends, a signal arrives, or standard output has no reader.
    static func whileUninterrupted(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task { await work() }
        server.withLock { $0 = task }
        _ = await result(of: task)
    }

    /// Ends what ``whileUninterrupted(_:)`` runs.
    static func endServer() {
        server.withLock { $0?.cancel() }
    }

    /// Runs work that gives a result, and cancels it when a signal arrives.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        do {
            return try await result(of: task).get()
        } catch {
            throw task.isCancelled ? Interrupted() : error
        }
    }

    private static func result<Success, Failure>(of task: Task<Success, Failure>) async -> Result<Success, Failure> {
        let sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the dispatch source gets the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                TerminalPrompt.abandonIfOpen()
                task.cancel()
            }
            source.resume()
            return source
        }
        let result = await task.result
        sources.forEach { $0.cancel() }
        return result
    }

    /// A signal cancelled the work.
    struct Interrupted: Error {}

    /// Waits until the task is cancelled.
    static func waitUntilCancelled() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }
}
