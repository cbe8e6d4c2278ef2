/// A workflow command of GitHub Actions, which shows an error or a warning in the job's list, and beside a line of a file.
package struct GitHubAnnotation: Sendable {
    package enum Level: String, Sendable {
        case error, warning
    }

    private let level: Level
    private let title: String
    private let text: String
    private let place: (file: String, line: Int)?

    package init(_ level: Level, title: String, text: String, place: (file: String, line: Int)? = nil) {
        self.level = level
        self.title = title
        self.text = text
        self.place = place
    }

    /// The command, a line of standard output.
    package var command: String {
        let place = place.map { "file=\(Self.property($0.file)),line=\($0.line)," } ?? ""
        return "::\(level.rawValue) \(place)title=\(Self.property(title))::\(Self.data(text))"
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
