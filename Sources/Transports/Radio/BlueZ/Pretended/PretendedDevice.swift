internal import CTAPHybrid

/// A device that the pretended adapter has discovered.
struct PretendedDevice: Hashable, Sendable {
    /// The signal strength in dBm of an advert that has none: a telephone on the same desk.
    static let usualSignalStrength: Int8 = -48

    static let interfaces: [BusInterface] = [.introspectable, .device, .properties]

    let address: BluetoothAddress
    /// The device's adverts on the air, by the number of their broadcast.
    var adverts: [Int: Advert]

    var path: String { BlueZ.devicePath(address, of: PretendedAdapter.name) }

    /// The adverts in the order of their broadcasts; the last one of a service counts.
    private var ordered: [Advert] { adverts.sorted { $0.key < $1.key }.map(\.value) }

    /// The properties of `org.bluez.Device1`.
    var properties: [String: BusValue] {
        let fixed: [String: BusValue] = [
            "Address": .string(address.description), "AddressType": .string("random"),
            "Alias": .string(address.joined(by: "-")), "Paired": .bool(false), "Trusted": .bool(false),
            "Blocked": .bool(false), "LegacyPairing": .bool(false), "Connected": .bool(false),
            "Adapter": .path(PretendedAdapter.path), "ServicesResolved": .bool(false),
        ]
        return fixed.merging(heard) { $1 }
    }

    /// The properties that an advert changes.
    var heard: [String: BusValue] {
        var data: [String: BusValue] = [:]
        for advert in ordered { data[advert.service.uuid] = .bytes(advert.serviceData) }
        return [
            "RSSI": .int16(Int16(ordered.last?.signalStrength ?? Self.usualSignalStrength)),
            "UUIDs": .strings(data.keys.sorted()), "ServiceData": .properties(data),
        ]
    }
}
