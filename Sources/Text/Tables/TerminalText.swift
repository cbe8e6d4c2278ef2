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

        /// The sequence that begins the style (ECMA-48 §8.3.117).
        fileprivate var start: String { "\u{1B}[\(rawValue)m" }
    }

    private static let end = "\u{1B}[0m"
    private static let sequences = Style.allCases.map { Array($0.start.unicodeScalars) } + [Array(end.unicodeScalars)]

    /// Text in a style.
    package static func styled(_ text: String, _ style: Style) -> String { style.start + text + end }

    /// The text with each control character as `\u001B`, the form of JSON.
    ///
    /// - Parameters:
    ///   - keepsLines: Whether line feeds stay.
    ///   - keepsStyles: Whether the program's own styles stay.
    package static func escaped(_ text: String, keepsLines: Bool = false, keepsStyles: Bool = true) -> String {
        guard text.unicodeScalars.contains(where: { isControl($0) && !(keepsLines && $0 == "\n") }) else { return text }
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if keepsStyles, scalar == "\u{1B}", let style = sequences.first(where: { rest.starts(with: $0) }) {
                result.append(contentsOf: style)
                rest = rest.dropFirst(style.count)
                continue
            }
            if isControl(scalar), !(keepsLines && scalar == "\n") {
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

    /// Whether a terminal does something else with a character than show it; a tabulator is harmless.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09: false
        case 0x00...0x1F, 0x7F...0x9F: true
        // Line and paragraph separators; overrides of the writing direction, which show text in another order.
        case 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
