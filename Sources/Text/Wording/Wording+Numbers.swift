extension Wording {
    /// A position: `1st`, `2nd`, `11th`.
    package static func ordinal(_ number: Int) -> String {
        let ending =
            switch (number % 100, number % 10) {
            case (11...13, _): "th"
            case (_, 1): "st"
            case (_, 2): "nd"
            case (_, 3): "rd"
            default: "th"
            }
        return "\(number)\(ending)"
    }

    /// A span in the largest unit that gives a whole number, as profiles write it: `48 h`, `15 min`, `30 s`, `500 ms`.
    package static func span(_ span: Duration) -> String {
        let milliseconds = Int64(span / .milliseconds(1))
        guard milliseconds != 0 else { return span == .zero ? "0 s" : "0 ms" }
        for (unit, size) in [("h", Int64(3_600_000)), ("min", 60_000), ("s", 1_000)]
        where milliseconds.isMultiple(of: size) {
            return "\(milliseconds / size) \(unit)"
        }
        return "\(milliseconds) ms"
    }

    /// The time of day in UTC, to the millisecond, of a time since the Unix epoch: `09:41:00.250`.
    package static func timeOfDay(_ time: Duration) -> String {
        let day: Int64 = 86_400_000
        let milliseconds = (Int64((time / .milliseconds(1)).rounded(.down)) % day + day) % day
        func padded(_ number: Int64, _ digits: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        let seconds = milliseconds / 1000
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }
        return parts.joined(separator: ":") + "." + padded(milliseconds % 1000, 3)
    }
}
