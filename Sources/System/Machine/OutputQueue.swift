internal import Dispatch
internal import Synchronization

/// Writes output in order on a thread of its own, so that an answer does not wait for the lines about it.
package final class OutputQueue: Sendable {
    package static let shared = OutputQueue()

    /// The most pieces that wait.
    private static let capacity = 10_000

    private let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "touchstone.output")
    private let waiting = Atomic<Int>(0)

    package init() { queue.setSpecific(key: key, value: true) }

    /// Adds work; a producer that is faster than the output waits for it.
    package func add(_ work: @escaping @Sendable () -> Void) {
        if waiting.wrappingAdd(1, ordering: .relaxed).newValue > Self.capacity { finish() }
        append(work)
    }

    /// Adds work unless too much waits already.
    ///
    /// - Returns: whether it is added.
    package func offer(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue <= Self.capacity else {
            waiting.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        append(work)
        return true
    }

    private func append(_ work: @escaping @Sendable () -> Void) {
        queue.async {
            work()
            self.waiting.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Returns when the work added so far is done; at once within that work.
    package func finish() {
        if DispatchQueue.getSpecific(key: key) != true { queue.sync {} }
    }

    /// Returns when the work added so far is done, or when none is done for a span: an output may have no reader.
    package func finish(unlessStalledFor limit: Duration) {
        guard DispatchQueue.getSpecific(key: key) != true else { return }
        let end = DispatchSemaphore(value: 0)
        queue.async { end.signal() }
        var left = waiting.load(ordering: .relaxed)
        while end.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1)))) == .timedOut {
            let now = waiting.load(ordering: .relaxed)
            guard now < left else { return }
            left = now
        }
    }
}
