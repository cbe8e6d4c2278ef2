import Dispatch
import Foundation
import Synchronization

/// Ends long-running commands on Ctrl-C or a termination signal, in order rather than at once.
enum Interruption {
    /// Runs work until it ends or the process is told to stop.
    static func whileUninterrupted(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task { await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the dispatch source hears of the signal.
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
    }

    /// Runs work that gives a result, and cancels it when the process is told to stop.
    static func cancelling<Result: Sendable>(
        _ work: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let task = Task { try await work() }
        await whileUninterrupted {
            await withTaskCancellationHandler {
                _ = await task.result
            } onCancel: {
                task.cancel()
            }
            if Task.isCancelled { Interrupted.flag.store(true, ordering: .relaxed) }
        }
        do {
            return try await task.value
        } catch {
            throw Interrupted.flag.load(ordering: .relaxed) ? Interrupted() : error
        }
    }

    /// The work was told to stop, and stopped.
    struct Interrupted: Error {
        fileprivate static let flag = Atomic(false)
    }

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
