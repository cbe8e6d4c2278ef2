import ArgumentParser
import Foundation

/// A moment as ISO 8601 has it: a day, whose beginning in UTC counts, or a day with time and zone.
struct JudgingTime: ExpressibleByArgument {
    /// Since the Unix epoch.
    let time: Duration

    init?(argument: String) {
        let form = /(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d))?(?:Z|([+-])(\d\d):?(\d\d)))?/
        guard let match = try? form.wholeMatch(in: argument)?.output else { return nil }
        func number(_ text: Substring?) -> Int { text.flatMap { Int($0) } ?? 0 }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(
            year: number(match.1), month: number(match.2), day: number(match.3), hour: number(match.4),
            minute: number(match.5), second: number(match.6))
        // Foundation would take 30 February for a day of March.
        let offset = (match.7 == "-" ? -60 : 60) * (60 * number(match.8) + number(match.9))
        guard components.isValidDate(in: calendar), let date = calendar.date(from: components),
            number(match.8) < 24, number(match.9) < 60
        else { return nil }
        let seconds = Int64(date.timeIntervalSince1970) - Int64(offset)
        guard (0...253_402_300_799).contains(seconds) else { return nil }
        time = .seconds(seconds)
    }
}
