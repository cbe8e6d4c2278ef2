internal import Foundation
internal import LoopbackHTTP

/// Short texts for the user: user names, display names, device names.
enum Label {
    /// The text in Unicode's form C without surrounding white space; nil unless it has 1 to 64 characters, none of them
    /// a control character or a bidirectional control, which could disguise a name.
    static func validated(_ text: String) -> String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        // A character can have any number of scalars.
        guard (1...64).contains(trimmed.count), trimmed.utf8.count <= 256 else { return nil }
        let isSafe = trimmed.unicodeScalars.allSatisfy {
            $0.properties.generalCategory != .control && !$0.properties.isBidiControl
        }
        return isSafe ? trimmed : nil
    }

    /// A user name in Unicode's form C.
    static func username(_ text: String) throws(APIError) -> String {
        guard !text.contains(where: \.isWhitespace), let name = validated(text) else { throw .usernameInvalid }
        return name
    }
}
