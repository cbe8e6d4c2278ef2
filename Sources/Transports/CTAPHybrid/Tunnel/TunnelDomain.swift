internal import Crypto

/// The number of a tunnel service in the advert, and the host that it stands for (CTAP 2.3 §11.5).
///
/// Numbers below 256 are assigned. The host of a larger number comes from SHA-256 of a fixed text with the number in it:
/// the two lowest bits of the first eight bytes, little-endian, choose the top-level domain, and the rest is the label
/// in base32, lowest bits first.
package struct TunnelDomain: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The service of Google.
    package static let google = TunnelDomain(rawValue: 0)
    /// The service of Apple.
    package static let apple = TunnelDomain(rawValue: 1)

    /// The hosts of the assigned numbers, from 0 on.
    package static let assignedHosts = ["cable.ua5v.com", "cable.auth.com"]

    private static let firstHashed: UInt16 = 256
    private static let salt = Array("caBLEv2 tunnel server domain".utf8)
    private static let topLevelDomains = ["com", "org", "net", "info"]
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

    /// The host; nil for an unassigned number below 256.
    package var host: String? {
        guard rawValue >= Self.firstHashed else {
            return Int(rawValue) < Self.assignedHosts.count ? Self.assignedHosts[Int(rawValue)] : nil
        }
        let digest = SHA256.hash(data: Self.salt + rawValue.littleEndianBytes + [0])
        var number = digest.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let topLevelDomain = Self.topLevelDomains[Int(number & 3)]
        number >>= 2
        var label = ""
        while number != 0 {
            label.append(Self.alphabet[Int(number & 31)])
            number >>= 5
        }
        return "cable.\(label).\(topLevelDomain)"
    }
}

extension FixedWidthInteger {
    /// The bytes, lowest first.
    var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
    /// The bytes, highest first.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}
