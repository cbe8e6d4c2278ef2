package import Documents

/// The rule for the names of devices, which become part of URLs and of the paths of control sockets.
package enum DeviceName {
    /// The rule as the form of a value.
    package static let schema = Schema.pattern("[A-Za-z0-9][A-Za-z0-9._-]{0,47}", 1...48, words: words)

    /// The rule in words, without the length.
    static let words = "letters, digits, “.”, “_” and “-”, with a letter or a digit first"

    /// Verifies that a text follows the rule.
    ///
    /// - Throws: ``DeviceHostError/invalidName(_:)``.
    package static func check(_ text: String) throws(DeviceHostError) {
        guard (try? schema.validate(.text(text))) != nil else { throw .invalidName(text) }
    }

    /// A name for a device of a profile, with room for a number: the profile's name with `-` for other characters.
    package static func suggested(for profile: String) -> String {
        let plain = profile.unicodeScalars.prefix(200).map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "-"
        }
        let name = plain.drop { "._-".contains($0) }.prefix(40)
        return name.isEmpty ? "device" : String(name)
    }
}
