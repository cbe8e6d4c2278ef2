/// The state of the pretended adapter.
struct PretendedAdapter: Hashable, Sendable {
    /// A Bluetooth adapter's class: a computer (Bluetooth Assigned Numbers, 2.8).
    private static let computer: UInt32 = 0x00010C
    /// The most adverts of clients at a time.
    static let mostAdverts = 5

    /// The name on the bus.
    static let name = "hci0"
    static let path = BlueZ.adapterPath(name)
    static let interfaces: [BusInterface] = [.introspectable, .adapter, .properties, .advertisingManager]

    let address: BluetoothAddress
    let computerName: String
    var alias: String
    var isPowered: Bool
    var isDiscoverable = false
    var discoverableTimeout: UInt32 = 180
    var isPairable = true
    var pairableTimeout: UInt32 = 0
    var isDiscovering = false
    var activeAdverts = 0

    init(address: BluetoothAddress, name: String, isPowered: Bool) {
        self.address = address
        computerName = name
        alias = name
        self.isPowered = isPowered
    }

    /// The properties of `org.bluez.Adapter1`.
    var properties: [String: BusValue] {
        [
            "Address": .string(address.description), "AddressType": .string("public"), "Name": .string(computerName),
            "Alias": .string(alias), "Class": .uint32(Self.computer), "Powered": .bool(isPowered),
            "Discoverable": .bool(isDiscoverable), "DiscoverableTimeout": .uint32(discoverableTimeout),
            "Pairable": .bool(isPairable), "PairableTimeout": .uint32(pairableTimeout),
            "Discovering": .bool(isDiscovering), "UUIDs": .strings([]),
            // The Linux Foundation's number, and the version of a recent BlueZ.
            "Modalias": .string("usb:v1D6Bp0246d0542"), "Roles": .strings(["central", "peripheral"]),
        ]
    }

    /// The properties of `org.bluez.LEAdvertisingManager1`.
    var advertisingProperties: [String: BusValue] {
        let active = UInt8(clamping: activeAdverts)
        return [
            "ActiveInstances": .byte(active),
            "SupportedInstances": .byte(UInt8(clamping: Self.mostAdverts - activeAdverts)),
            "SupportedIncludes": .strings(["tx-power", "appearance", "local-name"]),
        ]
    }

    /// Sets a writable property of `org.bluez.Adapter1`, whose type is checked already.
    mutating func set(_ property: String, _ value: BusValue) {
        switch (property, value) {
        case ("Alias", .string(let text)): alias = text.isEmpty ? computerName : text
        case ("Powered", .bool(let truth)): isPowered = truth
        case ("Discoverable", .bool(let truth)): isDiscoverable = truth
        case ("DiscoverableTimeout", .uint32(let seconds)): discoverableTimeout = seconds
        case ("Pairable", .bool(let truth)): isPairable = truth
        case ("PairableTimeout", .uint32(let seconds)): pairableTimeout = seconds
        default: break
        }
    }
}
