import Foundation

/// The line of a report about its origin.
enum RunStamp {
    /// The present time and the program, such as `Made on 2026-03-01 at 09:41 UTC by touchstone 0.1.0`.
    static func words(_ now: Date = .now) -> String {
        let day = now.formatted(.iso8601.year().month().day())
        let time = now.formatted(.iso8601.time(includingFractionalSeconds: false)).prefix(5)
        return "Made on \(day) at \(time) UTC by touchstone \(Touchstone.version)"
    }
}
