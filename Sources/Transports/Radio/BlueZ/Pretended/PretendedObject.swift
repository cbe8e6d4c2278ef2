/// An object of the pretended BlueZ, with the values of its properties.
struct PretendedObject: Hashable, Sendable {
    let path: String
    let interfaces: [BusInterface]
    /// The properties by the name of their interface.
    let values: [String: [String: BusValue]]

    private init(path: String, interfaces: [BusInterface], values: [String: [String: BusValue]]) {
        self.path = path
        self.interfaces = interfaces
        self.values = values
    }

    /// The object of the manager of objects, which is not one of them.
    static let root = PretendedObject(
        path: BlueZ.root, interfaces: [.introspectable, .objectManager, .peer], values: [:])

    static let manager = PretendedObject(
        path: BlueZ.manager, interfaces: [.introspectable, .agentManager, .properties], values: [:])

    /// A path above an object, which has no members of its own.
    static func between(_ path: String) -> PretendedObject {
        PretendedObject(path: path, interfaces: [.introspectable], values: [:])
    }

    init(_ adapter: PretendedAdapter) {
        self.init(
            path: PretendedAdapter.path, interfaces: PretendedAdapter.interfaces,
            values: [
                BusInterface.adapter.name: adapter.properties,
                BusInterface.advertisingManager.name: adapter.advertisingProperties,
            ])
    }

    init(_ device: PretendedDevice) {
        self.init(
            path: device.path, interfaces: PretendedDevice.interfaces,
            values: [BusInterface.device.name: device.properties])
    }

    /// The interfaces with their properties, a dictionary `a{sa{sv}}`.
    var interfacesValue: BusValue {
        .dictionary(
            "s", BusValue.propertiesSignature,
            interfaces.map { .init(key: .string($0.name), value: .properties(values[$0.name] ?? [:])) })
    }
}
