package import Documents
internal import Foundation

/// The rule for the names of devices, which become part of URLs and of the paths of control sockets.
package enum DeviceName {
    /// The rule as the form of a value.
    package static let schema = Schema.pattern("[A-Za-z0-9][A-Za-z0-9._-]{0,47}", 1...48, words: words)

    /// The rule in words, without the length.
    static let words = "ASCII letters, digits, “.”, “_” and “-”, with a letter or a digit first"

    package static func check(_ text: String) throws(DeviceHostError) {
        guard (try? schema.validate(.text(text))) != nil else { throw .invalidName(text) }
    }

    /// The valid name nearest to a text, with room for a number: letters without their accents, `-` for other characters.
    package static func suggested(for text: String) -> String {
        let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(200)))
        let letters = beginning.decomposedStringWithCanonicalMapping.unicodeScalars
        let plain = letters.filter { $0.properties.canonicalCombiningClass == .notReordered }.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        let name = plain.drop { "._-".contains($0) }.prefix(40)
        return name.isEmpty ? "device" : String(name)
    }
}
