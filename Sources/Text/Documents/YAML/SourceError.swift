/// A mistake in a file: its place, what was found and what was expected.
package struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path as given.
    package let file: String
    /// The line, counted from 1; nil for the file as a whole.
    package let line: Int?
    /// One sentence.
    package let message: String

    package init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// `file:line: message`, the form that editors link.
    package var description: String {
        line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
    }
}
