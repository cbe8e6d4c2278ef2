/// The names of BlueZ on the bus (BlueZ, `doc/adapter-api.txt` and its siblings).
package enum BlueZ {
    package static let service = "org.bluez"
    /// The object of the manager of objects.
    static let root = "/"
    static let manager = "/org/bluez"

    static func adapterPath(_ name: String) -> String { "\(manager)/\(name)" }

    static func devicePath(_ address: BluetoothAddress, of adapter: String) -> String {
        "\(adapterPath(adapter))/dev_\(address.joined(by: "_"))"
    }

    private static let errorPrefix = "org.bluez.Error."

    static func refusal(_ name: String, _ reason: String) -> BusRefusal { BusRefusal(errorPrefix + name, reason) }
}

extension BusInterface {
    static let adapter = BusInterface(
        name: "org.bluez.Adapter1",
        methods: [
            Member(name: "StartDiscovery", parameters: []),
            Member(name: "StopDiscovery", parameters: []),
            Member(name: "SetDiscoveryFilter", parameters: [BusValue.propertiesSignature]),
            Member(name: "GetDiscoveryFilters", parameters: [], answers: ["as"]),
            Member(name: "RemoveDevice", parameters: ["o"]),
        ],
        properties: [
            Property(name: "Address", signature: "s"),
            Property(name: "AddressType", signature: "s"),
            Property(name: "Name", signature: "s"),
            Property(name: "Alias", signature: "s", isWritable: true),
            Property(name: "Class", signature: "u"),
            Property(name: "Powered", signature: "b", isWritable: true),
            Property(name: "Discoverable", signature: "b", isWritable: true),
            Property(name: "DiscoverableTimeout", signature: "u", isWritable: true),
            Property(name: "Pairable", signature: "b", isWritable: true),
            Property(name: "PairableTimeout", signature: "u", isWritable: true),
            Property(name: "Discovering", signature: "b"),
            Property(name: "UUIDs", signature: "as"),
            Property(name: "Modalias", signature: "s"),
            Property(name: "Roles", signature: "as"),
        ])

    static let device = BusInterface(
        name: "org.bluez.Device1",
        methods: ["Connect", "Disconnect", "Pair", "CancelPairing"].map { Member(name: $0, parameters: []) },
        properties: [
            Property(name: "Address", signature: "s"),
            Property(name: "AddressType", signature: "s"),
            Property(name: "Alias", signature: "s"),
            Property(name: "Paired", signature: "b"),
            Property(name: "Trusted", signature: "b"),
            Property(name: "Blocked", signature: "b"),
            Property(name: "LegacyPairing", signature: "b"),
            Property(name: "RSSI", signature: "n"),
            Property(name: "Connected", signature: "b"),
            Property(name: "UUIDs", signature: "as"),
            Property(name: "Adapter", signature: "o"),
            Property(name: "ServiceData", signature: BusValue.propertiesSignature),
            Property(name: "ServicesResolved", signature: "b"),
        ])

    static let advertisingManager = BusInterface(
        name: "org.bluez.LEAdvertisingManager1",
        methods: [
            Member(name: "RegisterAdvertisement", parameters: ["o", BusValue.propertiesSignature]),
            Member(name: "UnregisterAdvertisement", parameters: ["o"]),
        ],
        properties: [
            Property(name: "ActiveInstances", signature: "y"),
            Property(name: "SupportedInstances", signature: "y"),
            Property(name: "SupportedIncludes", signature: "as"),
        ])

    static let advertisement = BusInterface(
        name: "org.bluez.LEAdvertisement1", methods: [Member(name: "Release", parameters: [])],
        properties: [
            Property(name: "Type", signature: "s"),
            Property(name: "ServiceUUIDs", signature: "as"),
            Property(name: "ServiceData", signature: BusValue.propertiesSignature),
        ])

    /// The manager of agents, which ask a user about pairing; the pretended BlueZ takes them, and never asks.
    static let agentManager = BusInterface(
        name: "org.bluez.AgentManager1",
        methods: [
            Member(name: "RegisterAgent", parameters: ["o", "s"]),
            Member(name: "UnregisterAgent", parameters: ["o"]),
            Member(name: "RequestDefaultAgent", parameters: ["o"]),
        ])
}
