/// A Bluetooth device address of six bytes.
package struct BluetoothAddress: Hashable, Sendable, CustomStringConvertible {
    /// The number of an address's bytes.
    package static let length = 6

    /// The bytes, in the order of the text form.
    package let bytes: [UInt8]

    /// Creates an address from six bytes; nil for another number.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Reads six pairs of hexadecimal digits with colons between them; nil for another text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { part in
            part.utf8.count == 2 && part.allSatisfy(\.isHexDigit) ? UInt8(part, radix: 16) : nil
        }
        guard parts.count == Self.length, bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// A random static address: the two highest bits are set (Bluetooth Core, volume 6, part B, 1.3.2.1).
    package static func random(using generator: inout some RandomNumberGenerator) -> BluetoothAddress {
        BluetoothAddress(number: UInt64.random(in: .min ... .max, using: &generator))
    }

    /// An address for documentation (RFC 7042, 2.1.2) with a last byte.
    init(documentation last: UInt8) { bytes = [0x00, 0x00, 0x5E, 0x00, 0x53, last] }

    private init(number: UInt64) {
        bytes = (0..<Self.length).map { index in
            let byte = UInt8(truncatingIfNeeded: number >> (8 * index))
            return index == 0 ? byte | 0xC0 : byte
        }
    }

    /// Six pairs of upper-case hexadecimal digits with colons between them.
    package var description: String { joined(by: ":") }

    /// Six pairs of upper-case hexadecimal digits with a separator between them.
    package func joined(by separator: String) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: separator)
    }
}
