/// Bytes as decimal digits, which a QR code stores compactly (CTAP 2.3 §11.5.1).
///
/// Seven bytes, read as a little-endian number, are 17 digits. The last chunk of 1 to 6 bytes has 3, 5, 8, 10, 13 or 15
/// digits. Leading zeros fill each chunk.
package enum QRDigits {
    /// The most digits of a QR code of version 40 with the lowest error correction (ISO/IEC 18004 table 7).
    package static let mostDigits = 7089

    private static let chunkLength = 7
    /// The number of digits for each number of bytes in a chunk.
    private static let digitCounts = [0, 3, 5, 8, 10, 13, 15, 17]

    /// The digits of any bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var digits = ""
        for start in stride(from: 0, to: bytes.count, by: chunkLength) {
            let chunk = bytes[start..<min(start + chunkLength, bytes.count)]
            let number = String(chunk.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
            digits += String(repeating: "0", count: digitCounts[chunk.count] - number.count) + number
        }
        return digits
    }

    /// The bytes of digits.
    ///
    /// - Throws: ``QRError/tooLong(_:)``, ``QRError/notADigit(position:)``, ``QRError/impossibleLength(_:)`` or
    ///   ``QRError/outOfRange(position:)``. Positions count from the first digit.
    package static func decode(_ text: some StringProtocol) throws(QRError) -> [UInt8] {
        let digits = Array(text.utf8)
        guard digits.count <= mostDigits else { throw .tooLong(digits.count) }
        if let position = digits.firstIndex(where: { !(0x30...0x39).contains($0) }) {
            throw .notADigit(position: position)
        }
        let longest = digitCounts[chunkLength]
        guard digitCounts.contains(digits.count % longest) else { throw .impossibleLength(digits.count) }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: digits.count, by: longest) {
            let chunk = digits[start..<min(start + longest, digits.count)]
            // 17 digits fit 64 bits.
            var number = chunk.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - 0x30) }
            for _ in 0..<(digitCounts.firstIndex(of: chunk.count) ?? 0) {
                bytes.append(UInt8(truncatingIfNeeded: number))
                number >>= 8
            }
            guard number == 0 else { throw .outOfRange(position: start) }
        }
        return bytes
    }
}
