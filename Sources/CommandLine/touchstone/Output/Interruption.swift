import Dispatch
import Foundation
import Synchronization

/// Cancels long-running commands on Ctrl-C, a termination signal or the end of their terminal.
enum Interruption {
    private static let server = Mutex<Task<Void, Never>?>(nil)
    /// The time that a server has to finish its work and to close its files.
    private static let patience = DispatchTimeInterval.milliseconds(1300)
    // A queue of its own has a thread even when work occupies every thread of the concurrency pool.
    private static let queue = DispatchQueue(label: "touchstone.interruption")

    /// Serves until the work ends, a signal arrives, or standard output has no reader.
    static func whileUninterrupted(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task { await work() }
        server.withLock { $0 = task }
        _ = await result(of: task, onSignal: endInTime)
    }

    /// Ends what ``whileUninterrupted(_:)`` runs.
    static func endServer() {
        server.withLock { $0?.cancel() }
        endInTime()
    }

    /// Ends the program after the server's time, whatever keeps it running; what was answered for is stored already.
    private static func endInTime() {
        queue.asyncAfter(deadline: .now() + patience) {
            // The terminal may be what blocks.
            DispatchQueue(label: "touchstone.last-words").async {
                Terminal.writeError("touchstone: work in progress did not end in time; it is abandoned")
            }
            queue.asyncAfter(deadline: .now() + .milliseconds(100)) { _exit(Failure.Status.checkFailed.rawValue) }
        }
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

    private static func result<Success, Failure>(
        of task: Task<Success, Failure>, onSignal: @escaping @Sendable () -> Void = {}
    ) async -> Result<Success, Failure> {
        let sources = signals.map { number in
            // The default action would end the process before the dispatch source gets the signal.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                TerminalPrompt.abandonIfOpen()
                task.cancel()
                onSignal()
            }
            source.resume()
            return source
        }
        let result = await task.result
        sources.forEach { $0.cancel() }
        return result
    }

    /// The signals that end the program; under `nohup` the end of the terminal is none.
    private static let signals: [Int32] = {
        var hangUp = sigaction()
        sigaction(SIGHUP, nil, &hangUp)
        let isIgnored = unsafeBitCast(hangUp.__sigaction_handler, to: Int.self) == 1
        return [SIGINT, SIGTERM] + (isIgnored ? [] : [SIGHUP])
    }()

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
