/// Escapes text from devices and files.
enum PlainText {
    /// The text with control and bidirectional formatting characters escaped: a user name from a device must not
    /// control the terminal.
    static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if isHarmful(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Bidirectional overrides and isolates.
        case .format: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        default: false
        }
    }
}
