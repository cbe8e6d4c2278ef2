/// The bytes of a literal's text with its escapes, as C and Python write it.
package enum EscapedBytes {
    /// The reason that a text cannot be read, and what to do.
    package struct Problem: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    private static let simple: [Character: UInt8] = [
        "n": 0x0A, "r": 0x0D, "t": 0x09, "0": 0, "\\": 0x5C, "'": 0x27, "\"": 0x22, "a": 7, "b": 8, "f": 12, "v": 11,
    ]

    /// Reads the text between the quotation marks.
    package static func decode(_ text: String) throws(Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "\\" else {
                // Literals of several lines have quotation marks and line breaks between them.
                if !character.isWhitespace || character == " " { bytes += Array(String(character).utf8) }
                continue
            }
            guard let kind = rest.popFirst() else {
                throw Problem(description: "the text ends inside an escape; give all of it")
            }
            if kind == "x" {
                guard let byte = UInt8(rest.prefix(2), radix: 16) else {
                    throw Problem(
                        description:
                            "“\\x\(rest.prefix(2))” is not an escape; write two hexadecimal digits after \\x")
                }
                bytes.append(byte)
                rest = rest.dropFirst(2)
            } else if let byte = simple[kind] {
                bytes.append(byte)
            } else {
                throw Problem(
                    description: "“\\\(kind)” is not an escape of bytes; give the bytes in hexadecimal or base64")
            }
        }
        return bytes
    }
}
