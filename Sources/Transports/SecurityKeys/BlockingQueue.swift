internal import Dispatch
internal import Synchronization

/// A queue whose reader blocks until a message arrives.
final class BlockingQueue<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let count = DispatchSemaphore(value: 0)

    func put(_ new: [Element]) {
        elements.withLock { $0 += new }
        for _ in new { count.signal() }
    }

    func take(within milliseconds: Int) -> Element? {
        guard count.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return elements.withLock { $0.removeFirst() }
    }
}
