package import CTAPHybrid

extension HybridService {
    /// The end of a UUID that Bluetooth assigns in 16 bits (Bluetooth Core, volume 3, part B, 2.5.1).
    private static let baseUUID = "-0000-1000-8000-00805f9b34fb"

    /// Reads a UUID in 128, 32 or 16 bits, in letters of either case; nil for another service.
    package init?(uuid text: String) {
        var digits = text.lowercased()
        if digits.hasSuffix(Self.baseUUID) { digits.removeLast(Self.baseUUID.count) }
        if digits.hasPrefix("0x") { digits.removeFirst(2) }
        guard digits.count == 4 || digits.count == 8, digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: 16), let short = UInt16(exactly: number)
        else { return nil }
        self.init(rawValue: short)
    }
}
