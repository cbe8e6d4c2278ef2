internal import Dispatch

/// Runs an actor on a thread that may block, which the threads of the concurrency pool may not.
final class BlockingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "touchstone.blocking")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
