internal import Foundation
package import Synchronization

/// The pace of the reports of a long message over a HID device of Linux: a burst at once, then one after each interval.
///
/// Linux keeps 32 reports for the program behind a virtual key and 64 reports for each program that reads a key, and
/// drops further ones without an error.
package struct ReportPace: Sendable {
    /// The pause between reports, in nanoseconds; keys ask for 1 ms to 5 ms (`bInterval`).
    private static let interval: UInt64 = 2_000_000

    /// The burst to a key: half of the reports that Linux keeps for the program behind a virtual one.
    package static let toKey = ReportPace(burst: 16)
    /// The burst from a key: half of the reports that Linux keeps for each program that reads.
    package static let fromKey = ReportPace(burst: 32)

    private let burst: Int
    private var credit: Int
    private var lastTurn: UInt64 = 0

    private init(burst: Int) {
        self.burst = burst
        credit = burst
    }

    /// Allows a burst again: the other side has answered, so it has read the earlier reports.
    package mutating func refill() { credit = burst }

    /// The nanoseconds until the next report may leave, zero for at once; `now` is of a clock that never goes back.
    ///
    /// Time alone earns no burst: after a pause of the whole machine, the other side has read nothing.
    package mutating func takeTurn(at now: UInt64) -> UInt64 {
        guard credit == 0 else {
            credit -= 1
            lastTurn = now
            return 0
        }
        lastTurn = max(now, lastTurn + Self.interval)
        return lastTurn - now
    }
}

extension Mutex where Value == ReportPace {
    /// Blocks the thread until the next report may leave.
    package borrowing func awaitTurn() {
        let pause = withLock { $0.takeTurn(at: DispatchTime.now().uptimeNanoseconds) }
        if pause > 0 { Thread.sleep(forTimeInterval: Double(pause) / 1e9) }
    }
}
