extension Duration {
    /// The reason why a text is not a span.
    package enum SpanProblem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The text is not a number with a unit.
        case form
        case unit(String)

        package var description: String {
            switch self {
            case .form: "expected a span such as \"30 s\""
            case .unit(let found): "expected ms, s, min, h or d after the number, found \"\(found)\""
            }
        }
    }

    /// Reads a span as profiles and scenarios write it: `250 ms`, `30 s`, `5 min`, `2 h`, `1 d`, also without the space.
    package init(span text: String) throws(SpanProblem) {
        let digits = text.prefix { ("0"..."9").contains($0) }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard !unit.isEmpty, !unit.contains(" "), let number = Int64(digits), (0...10_000_000).contains(number) else {
            throw .form
        }
        switch unit {
        case "ms": self = .milliseconds(number)
        case "s": self = .seconds(number)
        case "min": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3600)
        case "d": self = .seconds(number * 86_400)
        default: throw .unit(String(unit))
        }
    }
}
