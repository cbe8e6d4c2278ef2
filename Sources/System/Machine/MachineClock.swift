internal import Foundation
internal import Glibc

/// The time of the computer, which never runs backwards within a process.
///
/// The calendar's clock is read once; from then on the time passes with the computer's monotonic clock. So a correction
/// of the calendar's clock neither ends a lockout nor reopens a window that has closed.
package struct MachineClock: Sendable {
    package static let shared = MachineClock(calendar: Self.calendarTime) {
        let start = ContinuousClock.now
        return { start.duration(to: .now) }
    }

    /// The years that calendars and certificates express: 1970 to 9999.
    private static let years = Duration.zero...Duration.seconds(253_402_300_799)

    private let start: Duration
    private let elapsed: @Sendable () -> Duration
    /// Whether the calendar's clock shows a time outside the years 1970 to 9999.
    package let isAstray: Bool

    /// `calendar` is the time since the Unix epoch; `startTimer` starts a timer that returns the time since its start.
    package init(calendar: () -> Duration, startTimer: () -> @Sendable () -> Duration) {
        let now = calendar()
        isAstray = !Self.years.contains(now)
        start = min(max(now, Self.years.lowerBound), Self.years.upperBound)
        elapsed = startTimer()
    }

    /// The time since the Unix epoch, to the millisecond.
    package func now() -> Duration {
        let time = start + elapsed()
        return .milliseconds(Int64(time / .milliseconds(1)))
    }

    private static func calendarTime() -> Duration {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }
}
