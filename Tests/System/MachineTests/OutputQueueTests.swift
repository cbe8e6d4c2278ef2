import Dispatch
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

    @Test("A full queue takes no offer, and takes one again when there is room")
    func offers() {
        let (queue, lines, gate) = (OutputQueue(), Lines(), DispatchSemaphore(value: 0))
        queue.add { gate.wait() }
        let taken = (0..<25_000).filter { number in queue.offer { lines.add(number) } }
        #expect(taken.count < 10_000 && taken == Array(0..<taken.count))
        queue.finish(unlessStalledFor: .milliseconds(1))
        #expect(lines.all.isEmpty)
        gate.signal()
        queue.finish()
        #expect(lines.all == taken)
        #expect(queue.offer { lines.add(-1) })
        queue.finish(unlessStalledFor: .seconds(600))
        #expect(lines.all.last == -1)
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
