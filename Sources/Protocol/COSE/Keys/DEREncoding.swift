/// The little DER this module writes; unlike a general serializer's, it cannot fail.
package enum DEREncoding {
    static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element([0x30], elements.flatMap { $0 }) }

    /// A bit string of whole bytes.
    static func bitString(_ bytes: [UInt8]) -> [UInt8] { element([0x03], [0] + bytes) }

    /// A non-negative integer, from its big-endian bytes.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        guard let first = digits.first else { return [0x02, 0x01, 0x00] }
        return element([0x02], first >= 0x80 ? [0] + digits : digits)
    }

    /// Tag, length and content.
    package static func element(_ tag: [UInt8], _ content: [UInt8]) -> [UInt8] {
        if content.count < 0x80 { return tag + [UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return tag + [0x80 | UInt8(length.count)] + length + content
    }
}
