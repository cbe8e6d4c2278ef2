internal import CBOR

/// The bytes after an advert: a CBOR map of channels with their details (CTAP 2.3 §11.5).
package struct AdvertSuffix: Hashable, Sendable {
    /// The L2CAP PSM of the Bluetooth channel (key 1); nil without such a channel.
    package var bluetoothPSM: UInt16?

    package init(bluetoothPSM: UInt16?) { self.bluetoothPSM = bluetoothPSM }

    /// Reads the map; unknown channels, and details of another type or size, are ignored.
    ///
    /// - Throws: ``AdvertError/malformedSuffix``.
    package init(parsing bytes: [UInt8]) throws(AdvertError) {
        guard case .map(let map)? = try? CBOR.decode(bytes, options: .lenient) else { throw .malformedSuffix }
        guard case .unsigned(let number)? = map[Self.key] else { return }
        bluetoothPSM = UInt16(exactly: number)
    }

    /// The CBOR map.
    package var encoded: [UInt8] {
        var map = CBOR.Map()
        map[Self.key] = bluetoothPSM.map { .unsigned(UInt64($0)) }
        return CBOR.encode(.map(map))
    }

    private static let key = CBOR.Value.unsigned(TransportChannel.bluetooth.rawValue)
}
