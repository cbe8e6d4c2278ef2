import Machine
import Synchronization
import Testing

@Suite struct OutputQueueTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[Int]>([])
        var all: [Int] { lines.withLock { $0 } }
        func add(_ line: Int) { lines.withLock { $0.append(line) } }
    }

    @Test("Work is done in the order it was added, and all of it before finishing")
    func order() {
        let (queue, lines) = (OutputQueue(), Lines())
        // More than the queue lets wait.
        for number in 0..<25_000 { queue.add { lines.add(number) } }
        queue.finish()
        #expect(lines.all == Array(0..<25_000))
    }

    @Test("Finishing within the queue's own work returns at once")
    func nested() {
        let (queue, lines) = (OutputQueue(), Lines())
        queue.add {
            queue.finish()
            lines.add(1)
        }
        queue.finish()
        #expect(lines.all == [1])
    }
}
