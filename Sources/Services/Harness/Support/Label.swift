internal import Foundation

/// Short texts for people: display names, device names.
enum Label {
    /// The text without surrounding white space; nil unless it has 1 to 64 characters without control characters.
    static func validated(_ text: String) -> String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        // A character can have any number of scalars.
        guard (1...64).contains(trimmed.count), trimmed.utf8.count <= 256 else { return nil }
        return trimmed.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : trimmed
    }
}
