internal import Dispatch

/// Runs an actor on a thread that may block, unlike the threads of the concurrency pool.
package final class BlockingExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "touchstone.blocking")

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
