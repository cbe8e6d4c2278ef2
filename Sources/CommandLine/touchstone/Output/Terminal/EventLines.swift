import Machine
import Synchronization
import VirtualAuthenticator
import Wording

/// The lines about a device's events, on a queue of their own: a device goes on when its standard output is not read.
final class EventLines: Sendable {
    private static let queue = OutputQueue()

    private let printer: EventPrinter
    private let dropped = Mutex(0)

    init(_ printer: EventPrinter) { self.printer = printer }

    /// Prints an event, or drops its line when too many wait.
    func add(_ event: AuthenticatorEvent) {
        let isTaken = Self.queue.offer { [self] in
            noteDropped()
            printer.print(event)
        }
        if !isTaken { dropped.withLock { $0 += 1 } }
    }

    private func noteDropped() {
        let count = dropped.withLock { count in
            defer { count = 0 }
            return count
        }
        guard count > 0 else { return }
        Terminal.writeError("\(Wording.counted(count, "event")) not shown: standard output was not read")
    }

    /// Returns when the lines are written, or when none is taken for half a second: a server has little time to end.
    static func finish() { queue.finish(unlessStalledFor: .milliseconds(500)) }
}
