// The objects, and the announcements of their changes.
extension PretendedBlueZState {
    /// Every object below the root, in the order of their paths.
    var objects: [PretendedObject] {
        [PretendedObject.manager] + [adapter].compactMap { $0.map(PretendedObject.init) }
            + devices.values.sorted { $0.path < $1.path }.map(PretendedObject.init)
    }

    static func added(_ object: PretendedObject) -> BusMessage {
        .signal(
            BlueZ.root, BusInterface.objectManager.name, "InterfacesAdded",
            [.path(object.path), object.interfacesValue])
    }

    static func removed(_ device: PretendedDevice) -> BusMessage {
        .signal(
            BlueZ.root, BusInterface.objectManager.name, "InterfacesRemoved",
            [.path(device.path), .strings(PretendedDevice.interfaces.map(\.name))])
    }

    /// Announces the properties whose values differ.
    mutating func announce(
        _ path: String, _ interface: BusInterface, _ before: [String: BusValue], _ after: [String: BusValue]
    ) {
        let changed = after.filter { before[$0.key] != $0.value }
        guard !changed.isEmpty else { return }
        outbox.append(
            .signal(
                path, BusInterface.properties.name, "PropertiesChanged",
                [.string(interface.name), .properties(changed), .strings([])]))
    }
}
