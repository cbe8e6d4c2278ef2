/// Hexadecimal digits, as traces, messages and test vectors write bytes.
public enum Hex {
    /// Two lower-case digits for each byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var result = ""
        for byte in bytes {
            if byte < 0x10 { result += "0" }
            result += String(byte, radix: 16)
        }
        return result
    }

    /// The bytes of an even number of hexadecimal digits in either case; anything else gives nil.
    public static func decode(_ text: String) -> [UInt8]? {
        let digits = text.unicodeScalars.map(value)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "0"..."9": UInt8(scalar.value - 0x30)
        case "a"..."f": UInt8(scalar.value - 0x61 + 10)
        case "A"..."F": UInt8(scalar.value - 0x41 + 10)
        default: nil
        }
    }
}
