/// The state of the pretended BlueZ: its adapter, the adverts on the air, and its clients.
///
/// A change puts signals and calls into ``outbox``, in their order.
struct PretendedBlueZState: Sendable {
    /// An advert of this process or of a client, with the address of its device.
    struct Transmission: Hashable, Sendable {
        let advert: Advert
        let address: BluetoothAddress
        /// Whether a client of the bus broadcasts it.
        let isForeign: Bool
    }

    /// An advert that a client registers.
    struct Registration: Hashable, Sendable {
        /// The unique name of the client.
        let client: String
        /// The path of the client's object.
        let path: String
    }

    let configuration: PretendedBlueZ.Configuration
    private var generator: any RandomNumberGenerator & Sendable
    private(set) var adapter: PretendedAdapter?
    private var lastNumber = 0
    private(set) var transmissions: [Int: Transmission] = [:]
    private(set) var devices: [BluetoothAddress: PretendedDevice] = [:]
    /// The filters of clients, also of those that do not scan.
    private var filters: [String: DiscoveryFilter] = [:]
    /// The clients that scan.
    private var scanners: Set<String> = []
    /// The registrations with the numbers of their transmissions.
    private var registrations: [Registration: [Int]] = [:]
    private(set) var outbox: [BusMessage] = []

    init(_ configuration: PretendedBlueZ.Configuration, generator: any RandomNumberGenerator & Sendable) {
        self.configuration = configuration
        self.generator = generator
        adapter = Self.adapter(configuration.adapter, configuration)
    }

    /// The messages since the last call.
    mutating func takeOutbox() -> [BusMessage] {
        defer { outbox = [] }
        return outbox
    }

    private static func adapter(
        _ condition: PretendedBlueZ.AdapterCondition, _ configuration: PretendedBlueZ.Configuration
    ) -> PretendedAdapter? {
        guard condition != .absent else { return nil }
        return PretendedAdapter(
            address: configuration.address, name: configuration.name, isPowered: condition == .on)
    }
}

// The adapter.
extension PretendedBlueZState {
    /// Plugs the adapter in, switches it, or pulls it out.
    mutating func setAdapter(_ condition: PretendedBlueZ.AdapterCondition) {
        switch (adapter, condition) {
        case (nil, .absent): break
        case (nil, _):
            adapter = Self.adapter(condition, configuration)
            announceAdapter()
        case (_, .absent):
            stopUse()
            adapter = nil
            // The devices disappear before their adapter.
            refresh()
            outbox.append(
                .signal(
                    BlueZ.root, BusInterface.objectManager.name, "InterfacesRemoved",
                    [.path(PretendedAdapter.path), .strings(PretendedAdapter.interfaces.map(\.name))]))
        default: setProperty("Powered", .bool(condition == .on))
        }
    }

    private mutating func announceAdapter() {
        guard let object = objects.first(where: { $0.path == PretendedAdapter.path }) else { return }
        outbox.append(Self.added(object))
    }

    /// Sets a writable property of the adapter, whose type is checked already.
    mutating func setProperty(_ name: String, _ value: BusValue) {
        change { $0.set(name, value) }
        if adapter?.isPowered == false { stopUse() }
        refresh()
    }

    /// Changes the adapter, and announces the changed properties.
    private mutating func change(_ body: (inout PretendedAdapter) -> Void) {
        guard var changed = adapter else { return }
        let before = changed
        body(&changed)
        adapter = changed
        announce(PretendedAdapter.path, .adapter, before.properties, changed.properties)
        announce(
            PretendedAdapter.path, .advertisingManager, before.advertisingProperties, changed.advertisingProperties)
    }

    /// Ends scans and registered adverts.
    private mutating func stopUse() {
        scanners = []
        for registration in registrations.keys.sorted(by: { ($0.client, $0.path) < ($1.client, $1.path) }) {
            var release = BusMessage.call(
                registration.client, registration.path, BusInterface.advertisement.name, "Release")
            release.wantsAnswer = false
            outbox.append(release)
            remove(registration)
        }
        // Devices disappear with the adapter's power.
        refresh()
    }
}

// Scans.
extension PretendedBlueZState {
    /// The adapter of a request that needs power.
    private func requirePower() throws(BusRefusal) {
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
}

// Adverts.
extension PretendedBlueZState {
    /// Puts an advert on the air; returns its number.
    mutating func transmit(_ advert: Advert, isForeign: Bool = false) -> Int {
        lastNumber += 1
        let address = advert.address ?? BluetoothAddress.random(using: &generator)
        transmissions[lastNumber] = Transmission(advert: advert, address: address, isForeign: isForeign)
        refresh()
        return lastNumber
    }

    mutating func endTransmission(_ number: Int) {
        transmissions[number] = nil
        refresh()
    }

    /// The registration of a client's advert, whose content is not known yet.
    mutating func register(_ registration: Registration) throws(BusRefusal) {
        try requirePower()
        guard registrations[registration] == nil else { throw BlueZ.refusal("AlreadyExists", "Already Exists") }
        guard registrations.count < PretendedAdapter.mostAdverts else {
            throw BlueZ.refusal("NotPermitted", "Maximum advertisements reached")
        }
        registrations[registration] = []
        countAdverts()
    }

    /// Puts a registered advert on the air; returns false when the registration has ended meanwhile.
    mutating func complete(_ registration: Registration, with adverts: [Advert]) -> Bool {
        guard registrations[registration] != nil else { return false }
        registrations[registration] = adverts.map { transmit($0, isForeign: true) }
        return true
    }

    mutating func unregister(_ registration: Registration) throws(BusRefusal) {
        guard registrations[registration] != nil else { throw BlueZ.refusal("DoesNotExist", "Does Not Exist") }
        remove(registration)
        refresh()
    }

    private mutating func remove(_ registration: Registration) {
        for number in registrations.removeValue(forKey: registration) ?? [] { transmissions[number] = nil }
        countAdverts()
    }

    private mutating func countAdverts() {
        let count = registrations.count
        change { $0.activeAdverts = count }
    }

    /// Brings the discovered devices up to date, and announces the changes.
    ///
    /// A device is discovered when a scanner's filter lets an advert pass, and stays as long as the advert is on the air.
    private mutating func refresh() {
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

// Announcements.
extension PretendedBlueZState {
    /// Every object below the root, in the order of their paths.
    var objects: [PretendedObject] {
        [PretendedObject.manager] + [adapter].compactMap { $0.map(PretendedObject.init) }
            + devices.values.sorted { $0.path < $1.path }.map(PretendedObject.init)
    }

    private static func added(_ object: PretendedObject) -> BusMessage {
        .signal(
            BlueZ.root, BusInterface.objectManager.name, "InterfacesAdded",
            [.path(object.path), object.interfacesValue])
    }

    private static func removed(_ device: PretendedDevice) -> BusMessage {
        .signal(
            BlueZ.root, BusInterface.objectManager.name, "InterfacesRemoved",
            [.path(device.path), .strings(PretendedDevice.interfaces.map(\.name))])
    }

    /// Announces the properties whose values differ.
    private mutating func announce(
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
