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
    /// The actions in progress at prompts, by their numbers.
    private var actions: [Int: CheckedContinuation<(any Error)?, Never>] = [:]
    private var lastAction = 0
    /// The number of jobs that have run.
    private var jobsRun = 0
    /// The time for which a synchronous call away from the main queue waits for an action while no job of the phone runs; real time,
    /// because only the computer knows that a thread is blocked.
    private let grace: Duration

    init(grace: Duration = .seconds(30)) { self.grace = grace }

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
            let value = await operation()
            self.condition.withLock {
                answer.value = value
                self.condition.broadcast()
            }
        }
        return runJobs(of: call) { answer.value }
    }

    /// Runs an operation to its end, also when the task that waits is cancelled.
    func finish<Success: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Success
    ) async throws -> Success {
        try await Task(executorPreference: self, operation: operation).value
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
        let thread: ObjectIdentifier
        /// Whether a job of the phone made it, as an interruption of a prompt does; the job goes on after the call.
        let isNested: Bool
        let isOnMainQueue: Bool
    }

    private func enter() -> Call {
        condition.lock()
        defer { condition.unlock() }
        let thread = ObjectIdentifier(Thread.current)
        let call = Call(thread: thread, isNested: runner == thread, isOnMainQueue: MainQueue.isCurrent)
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
            } else if runner == nil, !actions.isEmpty {
                waitForActions(of: call)
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

    /// Ends the actions that wait for work outside the phone.
    ///
    /// A call on the main queue keeps the main actor busy and ends them at once, another one after the grace. The caller holds the
    /// lock before and after.
    private func waitForActions(of call: Call) {
        if !call.isOnMainQueue {
            let jobsBefore = jobsRun
            let isWoken = condition.wait(until: Date(timeIntervalSinceNow: grace / .seconds(1)))
            guard !isWoken, runner == nil, jobs.isEmpty, jobsRun == jobsBefore else { return }
        }
        let blocked = actions.values
        actions = [:]
        condition.unlock()
        for action in blocked { action.resume(returning: BlockedAction(isOnMainQueue: call.isOnMainQueue)) }
        condition.lock()
    }

    /// Notes an action, and returns its number.
    func note(_ action: CheckedContinuation<(any Error)?, Never>) -> Int {
        condition.withLock {
            lastAction += 1
            actions[lastAction] = action
            return lastAction
        }
    }

    /// Takes an action that has come to its end; nil for one that was ended before.
    func takeAction(_ number: Int) -> CheckedContinuation<(any Error)?, Never>? {
        condition.withLock { actions.removeValue(forKey: number) }
    }

    /// Runs a job with the lock open; the caller holds it before and after.
    private func runFirstJob(on thread: ObjectIdentifier) {
        let job = jobs.removeFirst()
        jobsRun += 1
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
