import ArgumentParser
import Foundation

/// A moment as ISO 8601 has it: a day, whose beginning in UTC counts, or a day with time and zone.
struct JudgingTime: ExpressibleByArgument {
    /// Since the Unix epoch.
    let time: Duration

    init?(argument: String) {
        guard
            let date = (try? Date(argument, strategy: .iso8601))
                ?? (try? Date(argument, strategy: .iso8601.year().month().day())),
            (0...253_402_300_799).contains(date.timeIntervalSince1970)
        else { return nil }
        time = .seconds(Int64(date.timeIntervalSince1970))
    }
}
