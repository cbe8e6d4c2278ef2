/// Upper-case hexadecimal digits, in paths and headers of the tunnel service.
enum HexText {
    private static let digits = Array("0123456789ABCDEF")

    static func encode(_ bytes: [UInt8]) -> String {
        String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// The bytes of digits of either case; nil for any other text.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let values = text.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case 0x30...0x39: byte - 0x30
            case 0x41...0x46: byte - 0x37
            case 0x61...0x66: byte - 0x57
            default: nil
            }
        }
        guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
