internal import BuiltIns

/// A mistake in a file: its place, the text there and the expected form.
package struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path as given.
    package let file: String
    /// The line, counted from 1; nil for the file as a whole.
    package let line: Int?
    /// The character in the line, counted from 1; nil for the line as a whole.
    package let column: Int?
    /// One sentence.
    package let message: String

    package init(file: String, line: Int?, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// `file:line:column: message`, the form that editors link.
    package var description: String {
        ([BuiltInFiles.title(of: file)] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
            + ": " + message
    }
}
