/// Text on its way to a terminal.
///
/// Names of relying parties, users, profiles and accounts, keys of documents and answers of other programs come from
/// outside. A control character in them could move the cursor, hide text or type for the user.
package enum TerminalText {
    /// The program's own styles, the only control sequences that a terminal gets.
    package enum Style: String, CaseIterable, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"

        fileprivate var start: Mark { Mark(rawValue) }
    }

    /// The begin or the end of a style inside the program.
    ///
    /// It has a number that differs in each process, so that text from outside cannot contain it. It ends with "m", as
    /// the sequence does.
    fileprivate struct Mark {
        private static let number = String(UInt64.random(in: .min ... .max), radix: 16)
        static let end = Mark("0")
        static let all = Style.allCases.map(\.start) + [end]

        let text: String
        /// The characters for the terminal (ECMA-48 §8.3.117).
        let sequence: String
        let scalars: [Unicode.Scalar]

        init(_ parameter: String) {
            text = "\u{1B}\(Self.number);\(parameter)m"
            sequence = "\u{1B}[\(parameter)m"
            scalars = Array(text.unicodeScalars)
        }
    }

    private static let marks = Mark.all

    /// Text in a style, for ``shown(_:)``.
    package static func styled(_ text: String, _ style: Style) -> String { style.start.text + text + Mark.end.text }

    /// The text with a terminal's control sequences for the program's own styles.
    package static func shown(_ text: String) -> String {
        guard text.unicodeScalars.contains("\u{1B}") else { return text }
        return marks.reduce(text) { $0.replacing($1.text, with: $1.sequence) }
    }

    /// The text with each control character, each character without width and each mark of the writing direction as
    /// `\u001B`, the form of JSON.
    package static func escaped(_ text: String, keepsLines: Bool = false, keepsStyles: Bool = true) -> String {
        guard text.unicodeScalars.contains(where: { isEscaped($0) && !(keepsLines && $0 == "\n") }) else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if keepsStyles, scalar == "\u{1B}", let mark = marks.first(where: { rest.starts(with: $0.scalars) }) {
                result.append(contentsOf: mark.scalars)
                rest = rest.dropFirst(mark.scalars.count)
                continue
            }
            if isEscaped(scalar), !(keepsLines && scalar == "\n") {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                result.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            } else {
                result.append(scalar)
            }
            rest = rest.dropFirst()
        }
        return String(result)
    }

    /// Whether a character is escaped; a tab is not.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0x00...0x1F, 0x7F...0x9F: true
        // Line and paragraph separators.
        case 0x2028, 0x2029: true
        // Characters without width, which make two names look alike. Scripts and emoji need joiners and tags.
        case 0xAD, 0x180E, 0x200B, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
        // Marks of the writing direction, which show text in another order. None is above U+FFFF.
        default: scalar.properties.isBidiControl
        }
    }
}
