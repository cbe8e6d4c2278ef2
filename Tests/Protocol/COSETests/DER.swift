/// Just enough DER to take an ECDSA signature apart and to put it together wrongly.
enum DER {
    /// The two integers of a well-formed ECDSA signature, big-endian without leading zeros.
    static func integers(of signature: [UInt8]) -> (r: [UInt8], s: [UInt8])? {
        guard let (body, rest) = element(0x30, signature[...]), rest.isEmpty,
            let (r, afterR) = element(0x02, body), let (s, afterS) = element(0x02, afterR), afterS.isEmpty
        else { return nil }
        return (Array(r.drop { $0 == 0 }), Array(s.drop { $0 == 0 }))
    }

    /// An ECDSA signature of two non-negative integers, in strict DER.
    static func signature(r: [UInt8], s: [UInt8]) -> [UInt8] {
        tagged(0x30, integer(r) + integer(s))
    }

    /// A non-negative integer.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        guard let first = digits.first else { return [0x02, 0x01, 0x00] }
        return tagged(0x02, first >= 0x80 ? [0] + digits : digits)
    }

    /// Tag, length in its shortest form, content of fewer than 256 bytes.
    static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = UInt8(truncatingIfNeeded: content.count)
        return content.count < 128 ? [tag, length] + content : [tag, 0x81, length] + content
    }

    private static func element(
        _ tag: UInt8, _ bytes: ArraySlice<UInt8>
    ) -> (content: ArraySlice<UInt8>, rest: ArraySlice<UInt8>)? {
        let bytes = Array(bytes)
        guard bytes.count >= 2, bytes[0] == tag else { return nil }
        let long = bytes[1] == 0x81
        guard !long || bytes.count >= 3 else { return nil }
        let start = long ? 3 : 2
        let end = start + Int(bytes[start - 1])
        guard end <= bytes.count else { return nil }
        return (bytes[start..<end], bytes[end...])
    }
}
