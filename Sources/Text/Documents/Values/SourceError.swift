/// A mistake in a file: its place, the text there and the expected form; and the further mistakes that were found with it.
package struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path as given.
    package let file: String
    /// The line, counted from 1; nil for the file as a whole.
    package let line: Int?
    /// The character in the line, counted from 1; nil for the line as a whole.
    package let column: Int?
    /// One sentence.
    package let message: String
    /// The mistakes after this one; none of them has further ones.
    private var others: [SourceError] = []

    package init(file: String, line: Int?, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = message
    }

    /// The mistakes one by one, this one first.
    package var each: [SourceError] {
        var own = self
        own.others = []
        return [own] + others
    }

    /// The same mistake with further words after its message.
    package func adding(_ words: String) -> SourceError {
        SourceError(file: file, line: line, column: column, message: "\(message) \(words)")
    }

    /// The mistakes as one error, in the order given, each once; nil for none.
    package static func joining(_ mistakes: [SourceError]) -> SourceError? {
        var known: Set<SourceError> = []
        let all = mistakes.flatMap(\.each).filter { known.insert($0).inserted }
        guard var first = all.first else { return nil }
        first.others = Array(all.dropFirst())
        return first
    }

    /// A line `file:line:column: message` for each mistake, the form that editors link.
    package var description: String { each.map(\.words).joined(separator: "\n") }

    private var words: String {
        ([BuiltInPath.title(of: file)] + [line, column].compactMap { $0.map(String.init) }).joined(separator: ":")
            + ": " + message
    }
}
