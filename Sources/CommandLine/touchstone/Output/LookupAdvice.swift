import Decoding
internal import ErrorSearch
import PlatformErrors

/// The command for a text that belongs to the other one of `touchstone errors` and `touchstone decode`.
enum LookupAdvice {
    private static let longestText = 4096

    /// The command that finds the causes behind a text; nil for a text that names no known error.
    static func errors(_ text: String) -> String? {
        guard text.utf8.count <= longestText, !PlatformErrorSearch.shared.find(text).findings.isEmpty else {
            return nil
        }
        return "`touchstone errors --code \(argument(text))`"
    }

    /// The command that shows bytes member by member; nil for a text that is not bytes.
    static func decode(_ text: String) -> String? {
        isBytes(text) ? "`touchstone decode \(argument(text))`" : nil
    }

    /// Whether a text is bytes or a document that the decoder reads, also a damaged one.
    private static func isBytes(_ text: String) -> Bool {
        // Two bytes and less are statuses.
        if let decoded = try? DecodedInput(Array(text.utf8)) { return decoded.parts.map(\.length).reduce(0, +) > 2 }
        let digits = text.filter { !$0.isWhitespace && $0 != ":" }
        guard digits.count >= 6, digits.count.isMultiple(of: 2), digits.allSatisfy(\.isHexDigit) else {
            let isBase64 = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/-_=".contains($0)) }
            return isBase64 && text.count >= 40 && text.contains(where: \.isNumber)
                && text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase)
        }
        return digits.contains(where: \.isLetter) || digits.count > 10
    }

    /// A text as an argument of a shell, or an ellipsis for one that is long or needs care.
    private static func argument(_ text: String) -> String {
        let isPlain = text.count <= 60 && !text.contains { $0.isNewline || "\"`$\\!".contains($0) }
        return isPlain ? "\"\(text)\"" : "…"
    }
}
