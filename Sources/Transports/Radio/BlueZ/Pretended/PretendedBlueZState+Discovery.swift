// The scans of clients, and the devices that they discover.
extension PretendedBlueZState {
    /// The adapter of a request that needs power.
    func requirePower() throws(BusRefusal) {
        guard adapter?.isPowered == true else { throw BlueZ.refusal("NotReady", "Resource Not Ready") }
    }

    mutating func startDiscovery(_ client: String) throws(BusRefusal) {
        try requirePower()
        guard !scanners.contains(client) else {
            throw BlueZ.refusal("InProgress", "Operation already in progress")
        }
        // A known device is heard again.
        for device in devices.values.sorted(by: { $0.path < $1.path }) {
            announce(device.path, .device, [:], device.heard)
        }
        scanners.insert(client)
        refresh()
    }

    mutating func stopDiscovery(_ client: String) throws(BusRefusal) {
        guard scanners.remove(client) != nil else { throw BlueZ.refusal("Failed", "No discovery started") }
        refresh()
    }

    mutating func setFilter(_ values: [String: BusValue], of client: String) throws(BusRefusal) {
        filters[client] = values.isEmpty ? nil : try DiscoveryFilter(values)
        refresh()
    }

    mutating func removeDevice(_ path: String) throws(BusRefusal) {
        guard let device = devices.values.first(where: { $0.path == path }) else {
            throw BlueZ.refusal("DoesNotExist", "Does Not Exist")
        }
        devices[device.address] = nil
        outbox.append(Self.removed(device))
        // While an adapter scans, it discovers the device again.
        refresh()
    }

    /// Ends all that a client of the bus has started.
    mutating func clientLeft(_ client: String) {
        filters[client] = nil
        scanners.remove(client)
        for registration in registrations.keys where registration.client == client { remove(registration) }
        refresh()
    }

    /// Brings the discovered devices up to date, and announces the changes.
    ///
    /// A device is discovered when a scanner's filter lets an advert pass, and stays as long as the advert is on the air.
    mutating func refresh() {
        let isScanning = !scanners.isEmpty
        change { $0.isDiscovering = isScanning }
        let previous = devices
        devices = discovered()
        for device in previous.values.sorted(by: { $0.path < $1.path }) where devices[device.address] == nil {
            outbox.append(Self.removed(device))
        }
        for device in devices.values.sorted(by: { $0.path < $1.path }) {
            if let before = previous[device.address] {
                announce(device.path, .device, before.heard, device.heard)
            } else {
                outbox.append(Self.added(PretendedObject(device)))
            }
        }
    }

    private func discovered() -> [BluetoothAddress: PretendedDevice] {
        guard adapter?.isPowered == true else { return [:] }
        var discovered: [BluetoothAddress: PretendedDevice] = [:]
        for (number, transmission) in transmissions {
            let isKnown = devices[transmission.address]?.adverts[number] != nil
            guard isKnown || scanners.contains(where: { (filters[$0] ?? .none).passes(transmission.advert) }) else {
                continue
            }
            discovered[transmission.address, default: PretendedDevice(address: transmission.address, adverts: [:])]
                .adverts[number] = transmission.advert
        }
        return discovered
    }
}
