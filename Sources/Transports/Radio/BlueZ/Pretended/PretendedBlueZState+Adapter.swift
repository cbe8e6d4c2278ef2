// The adapter, which a lever or a client changes.
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
    mutating func change(_ body: (inout PretendedAdapter) -> Void) {
        guard var changed = adapter else { return }
        let before = changed
        body(&changed)
        adapter = changed
        announce(PretendedAdapter.path, .adapter, before.properties, changed.properties)
        announce(
            PretendedAdapter.path, .advertisingManager, before.advertisingProperties, changed.advertisingProperties)
    }

    /// Ends scans and registered adverts.
    mutating func stopUse() {
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
