internal import Dispatch
internal import Synchronization

/// Messages on their way to a thread that blocks until one is there.
final class BlockingQueue<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let count = DispatchSemaphore(value: 0)

    func put(_ new: [Element]) {
        elements.withLock { $0 += new }
        for _ in new { count.signal() }
    }

    /// The next one; nil when none comes in time.
    func take(within milliseconds: Int) -> Element? {
        guard count.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return elements.withLock { $0.removeFirst() }
    }
}
