internal import Foundation
package import Synchronization

/// The pace of the reports of a long message over a HID device of Linux: a burst at once, then one in each interval.
///
/// Linux keeps 32 reports for the program behind a virtual key and 64 reports for each program that reads a key, and
/// drops further ones without an error.
package struct ReportPace: Sendable {
    /// The pause between reports, in nanoseconds; keys ask for 1 ms to 5 ms (`bInterval`).
    private static let interval: UInt64 = 2_000_000

    /// The burst to a key: half of what Linux keeps for the program behind a virtual one.
    package static let toKey = ReportPace(burst: 16)
    /// The burst from a key: half of what Linux keeps for each program that reads.
    package static let fromKey = ReportPace(burst: 32)

    private let burst: UInt64
    private var credit: UInt64
    private var creditTime: UInt64 = 0

    private init(burst: UInt64) {
        self.burst = burst
        credit = burst
    }

    /// Allows a burst again: the other side has answered, so it has read the earlier reports.
    package mutating func refill() { credit = burst }

    /// Takes the turn of the next report.
    ///
    /// - Parameter now: the time in nanoseconds, by a clock that never goes back.
    /// - Returns: the nanoseconds until the turn; zero for a report that may leave at once.
    package mutating func takeTurn(at now: UInt64) -> UInt64 {
        let earned = now > creditTime ? (now - creditTime) / Self.interval : 0
        if credit + earned >= burst {
            (credit, creditTime) = (burst, now)
        } else {
            credit += earned
            creditTime += earned * Self.interval
        }
        guard credit == 0 else {
            credit -= 1
            return 0
        }
        creditTime += Self.interval
        return creditTime - now
    }
}

extension Mutex where Value == ReportPace {
    /// Blocks the thread until the next report may leave.
    package borrowing func awaitTurn() {
        let pause = withLock { $0.takeTurn(at: DispatchTime.now().uptimeNanoseconds) }
        if pause > 0 { Thread.sleep(forTimeInterval: Double(pause) / 1e9) }
    }
}
