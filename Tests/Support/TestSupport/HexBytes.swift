extension [UInt8] {
    /// The bytes of hexadecimal digits; spaces are ignored.
    ///
    /// Any other character ends the bytes, so that a mistake in a table fails its test.
    public init(hex text: String) {
        self = []
        var high: Int?
        for character in text where !character.isWhitespace {
            guard let digit = character.hexDigitValue else { return }
            if let first = high {
                append(UInt8(first << 4 | digit))
                high = nil
            } else {
                high = digit
            }
        }
    }

    /// Two lower-case hexadecimal digits for each byte.
    public var hex: String {
        var text = ""
        text.reserveCapacity(count * 2)
        for byte in self {
            if byte < 0x10 { text += "0" }
            text += String(byte, radix: 16)
        }
        return text
    }
}
