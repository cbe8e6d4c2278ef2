import Dispatch
import Foundation

/// Cancels long-running commands on Ctrl-C or a termination signal.
enum Interruption {
    /// Runs work until it ends or a signal arrives.
    ///
    /// - Returns: Whether a signal arrived.
    @discardableResult
    static func whileUninterrupted(_ work: @escaping @Sendable () async -> Void) async -> Bool {
        let task = Task { await work() }
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
        await task.value
        sources.forEach { $0.cancel() }
        return task.isCancelled
    }

    /// Runs work that gives a result, and cancels it when a signal arrives.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        let wasInterrupted = await whileUninterrupted {
            await withTaskCancellationHandler {
                _ = await task.result
            } onCancel: {
                task.cancel()
            }
        }
        do {
            return try await task.value
        } catch {
            throw wasInterrupted ? Interrupted() : error
        }
    }

    /// A signal cancelled the work.
    struct Interrupted: Error {}

    /// Waits until the task is cancelled.
    static func untilCancelled() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }
}
