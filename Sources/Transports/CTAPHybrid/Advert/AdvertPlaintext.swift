/// The plaintext of an advert, 16 bytes (CTAP 2.3 §11.5).
///
/// | bytes | contents |
/// |---|---|
/// | 1 | reserved, 0 |
/// | 10 | nonce |
/// | 3 | routing ID |
/// | 2 | tunnel domain, little-endian |
///
/// The handshake's pre-shared key depends on all of them. In state-assisted transactions phones send random bytes after
/// the first.
package struct AdvertPlaintext: Hashable, Sendable {
    package static let length = 16
    package static let nonceLength = 10

    /// The 16 bytes.
    package let bytes: [UInt8]

    /// The plaintext of a new connection; nil for a nonce or a routing ID of another length.
    package init?(nonce: [UInt8], routingID: RoutingID, domain: TunnelDomain) {
        guard nonce.count == Self.nonceLength else { return nil }
        bytes = [0] + nonce + routingID.bytes + domain.rawValue.littleEndianBytes
    }

    /// The plaintext of these bytes, whatever they are; nil for another number of them.
    package init?(uncheckedBytes bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// The first byte, 0 in this version.
    package var reserved: UInt8 { bytes[0] }
    package var nonce: [UInt8] { Array(bytes[1..<11]) }
    package var routingID: RoutingID { RoutingID(uncheckedBytes: Array(bytes[11..<14])) }
    package var domain: TunnelDomain { TunnelDomain(rawValue: UInt16(bytes[14]) | UInt16(bytes[15]) << 8) }
}

/// The tunnel service's number for a phone's connection, 3 bytes.
package struct RoutingID: Hashable, Sendable {
    package static let length = 3

    package let bytes: [UInt8]

    /// The routing ID of these bytes; nil for another number of them.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    init(uncheckedBytes bytes: [UInt8]) { self.bytes = bytes }

    /// Reads the header that the tunnel service answers a phone with: six hexadecimal digits.
    package init?(headerValue: String) {
        guard let bytes = HexText.decode(headerValue) else { return nil }
        self.init(bytes)
    }

    /// The header of the tunnel service's answer.
    package var headerValue: String { HexText.encode(bytes) }
}
