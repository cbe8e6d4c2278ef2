internal import CTAPHybrid

/// A datagram of the simulated radio over UDP.
///
/// The bytes, with numbers in big-endian order:
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | `TSADVERT` in ASCII |
/// | 8 | 1 | the version, 1 |
/// | 9 | 1 | flags: bit 0 for an address, bit 1 for a signal strength; the others are 0 |
/// | 10 | 8 | the sending radio's number, random |
/// | 18 | 8 | the broadcast's number, counted by its radio |
/// | 26 | 2 | the service's UUID in 16 bits: 0xFFF9 or 0xFDE2 |
/// | 28 | 6 | the address in the order of its text; 0 without one |
/// | 34 | 1 | the signal strength in dBm, a signed number; 0 without one |
/// | 35 | 1 | the number n of bytes of service data, at most 252 |
/// | 36 | n | the service data |
package struct AdvertDatagram: Hashable, Sendable {
    private static let magic = Array("TSADVERT".utf8)
    private static let version: UInt8 = 1
    private static let addressFlag: UInt8 = 1
    private static let signalFlag: UInt8 = 2
    private static let headerLength = 36

    /// The most bytes of a datagram.
    package static let longest = headerLength + Advert.longestServiceData

    /// The sending radio's number.
    package let radio: UInt64
    /// The broadcast's number.
    package let broadcast: UInt64
    /// The advert.
    package let advert: Advert

    package init(radio: UInt64, broadcast: UInt64, advert: Advert) {
        self.radio = radio
        self.broadcast = broadcast
        self.advert = advert
    }

    /// Reads a datagram; nil for bytes that are not exactly one.
    package init?(bytes: [UInt8]) {
        guard bytes.count >= Self.headerLength, bytes.starts(with: Self.magic), bytes[8] == Self.version,
            bytes.count == Self.headerLength + Int(bytes[35])
        else { return nil }
        let flags = bytes[9]
        guard flags & ~(Self.addressFlag | Self.signalFlag) == 0,
            let service = HybridService(rawValue: UInt16(truncatingIfNeeded: Self.number(bytes[26..<28])))
        else { return nil }
        let hasAddress = flags & Self.addressFlag != 0
        let hasSignal = flags & Self.signalFlag != 0
        guard hasAddress || bytes[28..<34].allSatisfy({ $0 == 0 }), hasSignal || bytes[34] == 0,
            let advert = try? Advert(
                service: service, serviceData: Array(bytes[Self.headerLength...]),
                address: hasAddress ? BluetoothAddress(bytes: Array(bytes[28..<34])) : nil,
                signalStrength: hasSignal ? Int8(bitPattern: bytes[34]) : nil)
        else { return nil }
        self.init(radio: Self.number(bytes[10..<18]), broadcast: Self.number(bytes[18..<26]), advert: advert)
    }

    /// The datagram's bytes.
    package var bytes: [UInt8] {
        let flags =
            (advert.address == nil ? 0 : Self.addressFlag) | (advert.signalStrength == nil ? 0 : Self.signalFlag)
        var bytes = Self.magic + [Self.version, flags]
        bytes += Self.bytes(radio) + Self.bytes(broadcast) + Self.bytes(advert.service.rawValue)
        bytes += advert.address?.bytes ?? Array(repeating: 0, count: BluetoothAddress.length)
        bytes.append(UInt8(bitPattern: advert.signalStrength ?? 0))
        // An advert's length fits into a byte.
        bytes.append(UInt8(truncatingIfNeeded: advert.serviceData.count))
        return bytes + advert.serviceData
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
