import Dispatch
import Foundation
import Synchronization

/// Cancels long-running commands on Ctrl-C, a termination signal or the end of their terminal.
enum Interruption {
    private struct Server {
        var task: Task<Void, Never>?
        /// Whether a signal arrived, or standard output lost its reader.
        var isEnding = false
        var grace = Grace.short
    }

    /// The time that a server has to finish its work and to close its files.
    struct Grace {
        /// The time in turns of the concurrency pool, which take longer on a busy computer.
        fileprivate let turns: Int
        /// The time after which the program ends even if work occupies every thread of the pool.
        fileprivate let limit: DispatchTimeInterval

        static let short = Grace(turns: 13, limit: .seconds(10))
        /// The time of a program that ends another one, such as a browser, and deletes its files.
        static let endingProgram = Grace(turns: 100, limit: .seconds(60))
    }

    private static let server = Mutex(Server())
    private static let turn = Duration.milliseconds(100)
    // A queue of its own has a thread even when work occupies every thread of the concurrency pool.
    private static let queue = DispatchQueue(label: "touchstone.interruption")

    /// Takes the signals that end a server, from now to the end of the program.
    ///
    /// A server calls it before it opens anything: a signal that arrives before it serves ends it, too.
    static func listen(_ grace: Grace = .short) {
        server.withLock { $0.grace = grace }
        _ = serverListener
    }

    // Kept only so that it stays registered; nothing uses it.
    nonisolated(unsafe) private static let serverListener = listener { endServer() }

    /// Serves until the work ends, a signal arrives, or standard output has no reader.
    static func whileUninterrupted(_ work: @escaping @Sendable () async -> Void) async {
        _ = serverListener
        let task = Task { await work() }
        let isEnding = server.withLock { server in
            server.task = task
            return server.isEnding
        }
        if isEnding { task.cancel() }
        await task.value
    }

    /// The same for work that may fail; a signal that cancels it is not a failure.
    static func serving(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let failure = Mutex<(any Error)?>(nil)
        await whileUninterrupted {
            do {
                try await work()
            } catch is CancellationError {
                // The signal arrived while something started.
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    static func untilInterrupted() async { await whileUninterrupted { await waitUntilCancelled() } }

    /// Ends the work of ``whileUninterrupted(_:)``.
    static func endServer() {
        let grace = server.withLock { server in
            server.isEnding = true
            server.task?.cancel()
            return server.grace
        }
        endInTime(grace)
    }

    /// Ends the program after the server's time, whatever keeps it running; every answered change is stored already.
    private static func endInTime(_ grace: Grace) {
        queue.asyncAfter(deadline: .now() + grace.limit) { abandonWork() }
        Task(priority: .utility) {
            for _ in 0..<grace.turns { try? await Task.sleep(for: turn) }
            queue.async { abandonWork() }
        }
    }

    private static func abandonWork() {
        // The terminal may block.
        DispatchQueue(label: "touchstone.last-words").async {
            Terminal.writeError("touchstone: work in progress did not end in time; it is abandoned")
        }
        queue.asyncAfter(deadline: .now() + .milliseconds(100)) { _exit(Failure.Status.checkFailed.rawValue) }
    }

    /// Ends the program at once when a signal arrives, after a function that tidies up.
    static func onSignal(_ tidyUp: @escaping @Sendable () -> Void) -> SignalListener {
        listener {
            tidyUp()
            _exit(TerminalPrompt.interruptedStatus)
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

    private static func result<Success, Failure>(of task: Task<Success, Failure>) async -> Result<Success, Failure> {
        let listener = listener { task.cancel() }
        let result = await task.result
        listener.end()
        return result
    }

    private static func listener(_ onSignal: @escaping @Sendable () -> Void) -> SignalListener {
        SignalListener(signals, on: queue) {
            TerminalPrompt.abandon()
            onSignal()
        }
    }

    /// The signals that end the program; under `nohup` the end of the terminal does not end it.
    private static let signals: [Int32] =
        [SIGINT, SIGTERM] + (SignalListener.action(of: SIGHUP) == .ignored ? [] : [SIGHUP])

    struct Interrupted: Error {}

    static func waitUntilCancelled() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            continuation.finish()
        }
    }
}
