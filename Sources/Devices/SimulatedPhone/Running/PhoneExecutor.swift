internal import Foundation

/// Runs the work on one phone, one job at a time, on the threads of its callers.
///
/// A synchronous call, such as `SecItemCopyMatching`, lends its own thread and runs the phone's jobs on it until the result
/// is there. It never waits for a free thread of the concurrency's pool, so that calls in parallel cannot block each
/// other. Without such a call, a task of the pool runs the jobs.
///
/// All work on a phone's actors runs in tasks that have this executor from their start to their end (SE-0417): a default
/// actor that a task of another executor leaves would be scheduled on the pool.
// Unchecked: the condition's lock guards every property.
final class PhoneExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    /// The synchronous calls in progress.
    private var callers = 0
    /// Whether a task of the pool is about to run jobs, or runs them.
    private var hasHelper = false
    /// The thread that runs a job now.
    private var runner: ObjectIdentifier?
    private var lastCall = 0
    /// The actions in progress at prompts of synchronous calls on the main queue, by the number of the call.
    private var actions: [Int: CheckedContinuation<(any Error)?, Never>] = [:]
    /// The number of the synchronous call for which the current task works, when the call is on the main queue.
    @TaskLocal static var blockingCall: Int?

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.lock()
        jobs.append(job)
        condition.broadcast()
        let wantsHelper = takesHelper()
        condition.unlock()
        if wantsHelper { startHelper() }
    }

    /// Runs an operation, and waits for its result; the calling thread runs the phone's jobs until then.
    func wait<Success: Sendable>(
        for operation: @escaping @Sendable () async throws -> Success
    ) throws -> Success {
        let outcome: Result<Success, any Error> = result {
            do { return .success(try await operation()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Runs an operation that cannot fail, and waits for its result.
    func result<Value: Sendable>(of operation: @escaping @Sendable () async -> Value) -> Value {
        let call = enter()
        let answer = Answer<Value>()
        Task(executorPreference: self) {
            let value = await Self.$blockingCall.withValue(call.isOnMainQueue ? call.number : nil, operation: operation)
            self.condition.withLock {
                answer.value = value
                self.condition.broadcast()
            }
        }
        return runJobs(of: call) { answer.value }
    }

    /// Runs an operation that others can wait for.
    ///
    /// Cancelling the task cancels the operation.
    func run<Success: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        let task = Task(executorPreference: self, operation: operation)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension PhoneExecutor {
    /// The result of an operation.
    // Unchecked: the condition's lock guards the property.
    private final class Answer<Value: Sendable>: @unchecked Sendable {
        var value: Value?
    }

    /// A synchronous call.
    private struct Call {
        let number: Int
        let thread: ObjectIdentifier
        /// Whether a job of the phone made it, as an interruption of a prompt does; the job goes on after the call.
        let isNested: Bool
        let isOnMainQueue: Bool
    }

    private func enter() -> Call {
        condition.lock()
        defer { condition.unlock() }
        let thread = ObjectIdentifier(Thread.current)
        lastCall += 1
        let call = Call(
            number: lastCall, thread: thread, isNested: runner == thread, isOnMainQueue: MainQueue.isCurrent)
        callers += 1
        if call.isNested { setRunner(nil) }
        return call
    }

    private func runJobs<Value>(of call: Call, until result: () -> Value?) -> Value {
        condition.lock()
        let value: Value
        while true {
            if let found = result(), runner == nil || !call.isNested {
                value = found
                break
            }
            if runner == nil, !jobs.isEmpty {
                runFirstJob(on: call.thread)
            } else if runner == nil, let action = actions.removeValue(forKey: call.number) {
                condition.unlock()
                action.resume(returning: BlockedAction())
                condition.lock()
            } else {
                condition.wait()
            }
        }
        if call.isNested { setRunner(call.thread) }
        callers -= 1
        let wantsHelper = takesHelper()
        condition.unlock()
        if wantsHelper { startHelper() }
        return value
    }

    func setAction(_ action: CheckedContinuation<(any Error)?, Never>, of call: Int) {
        condition.withLock { actions[call] = action }
    }

    func takeAction(of call: Int) -> CheckedContinuation<(any Error)?, Never>? {
        condition.withLock { actions.removeValue(forKey: call) }
    }

    /// Runs a job with the lock open; the caller holds it before and after.
    private func runFirstJob(on thread: ObjectIdentifier) {
        let job = jobs.removeFirst()
        setRunner(thread)
        condition.unlock()
        job.runSynchronously(on: asUnownedTaskExecutor())
        condition.lock()
        setRunner(nil)
    }

    private func setRunner(_ thread: ObjectIdentifier?) {
        runner = thread
        if thread == nil { condition.broadcast() }
    }

    private func takesHelper() -> Bool {
        guard callers == 0, runner == nil, !hasHelper, !jobs.isEmpty else { return false }
        hasHelper = true
        return true
    }

    private func startHelper() { Task.detached { self.help() } }

    private func help() {
        condition.lock()
        while callers == 0, runner == nil, !jobs.isEmpty { runFirstJob(on: ObjectIdentifier(Thread.current)) }
        hasHelper = false
        condition.unlock()
    }
}
