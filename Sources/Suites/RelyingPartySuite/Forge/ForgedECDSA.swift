/// The DER of an ECDSA signature in wrong forms (RFC 3279 §2.2.3): SEQUENCE { r INTEGER, s INTEGER }.
struct ForgedECDSA {
    /// The content of the INTEGERs.
    var r: [UInt8]
    var s: [UInt8]

    /// The order of P-256 (SEC 2 §2.4.2).
    static let order: [UInt8] =
        [UInt8](repeating: 0xFF, count: 4) + [0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [
            0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
        ]

    var der: [UInt8] { Self.sequence(Self.integer(r) + Self.integer(s)) }

    /// r ‖ s with 32 bytes each.
    var raw: [UInt8] { Self.fixed(r) + Self.fixed(s) }

    /// The signature with the complement of s, which also verifies.
    var complement: ForgedECDSA {
        var other = self
        var borrow = 0
        var difference: [UInt8] = []
        for (high, low) in zip(Self.order.reversed(), Self.fixed(s).reversed()) {
            let value = Int(high) - Int(low) - borrow
            borrow = value < 0 ? 1 : 0
            difference.append(UInt8(truncatingIfNeeded: value))
        }
        other.s = Self.positive(difference.reversed())
        return other
    }

    static func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(truncatingIfNeeded: content.count)] + content }
    static func integer(_ content: [UInt8]) -> [UInt8] { [0x02, UInt8(truncatingIfNeeded: content.count)] + content }

    /// The content of a positive INTEGER.
    static func positive(_ bytes: [UInt8]) -> [UInt8] {
        let number = Array(bytes.drop { $0 == 0 })
        return (number.first ?? 0x80) & 0x80 == 0 ? number : [0] + number
    }

    private static func fixed(_ content: [UInt8]) -> [UInt8] {
        let number = Array(content.drop { $0 == 0 })
        return [UInt8](repeating: 0, count: max(0, 32 - number.count)) + number
    }
}

extension ForgedECDSA {
    /// Reads a signature on P-256; nil for anything else.
    init?(_ der: [UInt8]) {
        guard der.count > 8, der[0] == 0x30, der[2] == 0x02 else { return nil }
        let end = 4 + Int(der[3])
        guard der.count > end + 1, der[end] == 0x02 else { return nil }
        (r, s) = (Array(der[4..<end]), Array(der[(end + 2)...]))
    }
}
