internal import Foundation

/// Short texts that people read: display names, device names.
enum Label {
    /// The text without surrounding white space; nil unless that leaves 1 to 64 characters, none of control.
    static func validated(_ text: String) -> String? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        // A character may be any number of scalars.
        guard (1...64).contains(trimmed.count), trimmed.utf8.count <= 256 else { return nil }
        return trimmed.unicodeScalars.contains { $0.properties.generalCategory == .control } ? nil : trimmed
    }
}
