internal import Dispatch
internal import Synchronization

/// Writes output in order on a thread of its own, so that an answer does not wait for the lines about it.
package final class OutputQueue: Sendable {
    package static let shared = OutputQueue()

    /// The most pieces that wait; a producer that is faster than the output waits for it.
    private static let capacity = 10_000

    private let key = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "touchstone.output")
    private let waiting = Atomic<Int>(0)

    package init() { queue.setSpecific(key: key, value: true) }

    package func add(_ work: @escaping @Sendable () -> Void) {
        if waiting.wrappingAdd(1, ordering: .relaxed).newValue > Self.capacity { finish() }
        queue.async {
            work()
            self.waiting.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Returns when the work added so far is done; at once within that work.
    package func finish() {
        if DispatchQueue.getSpecific(key: key) != true { queue.sync {} }
    }
}
