/// A place in a file, for errors and reports.
package struct SourcePlace: Hashable, Sendable {
    /// The file's path as given.
    package let file: String
    /// The line, counted from 1.
    package let line: Int
    /// The character in the line, counted from 1.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    package func error(_ message: String) -> SourceError {
        SourceError(file: file, line: line, column: column, message: message)
    }
}
