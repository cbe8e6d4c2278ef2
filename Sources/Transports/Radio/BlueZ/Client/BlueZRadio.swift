internal import CTAPHybrid

/// A radio of this computer's Bluetooth adapter, through BlueZ on the system's message bus.
///
/// It scans with a filter for both services of hybrid transport, and broadcasts with BlueZ's manager of adverts. A listener
/// hears an advert again when its device has been out of reach. It has been tried with ``PretendedBlueZ``, and not with a
/// real adapter.
package final class BlueZRadio: AdvertChannel {
    /// The variable with the address of the system's bus (D-Bus Specification, "System message bus").
    package static let addressVariable = "DBUS_SYSTEM_BUS_ADDRESS"
    /// The address of the system's bus where the variable is not set.
    package static let usualAddress = "unix:path=/var/run/dbus/system_bus_socket"

    /// The most adverts that wait for a listener's reader.
    private static let mostWaiting = 1024

    /// The address of the system's bus in an environment.
    package static func address(in environment: [String: String]) -> String {
        guard let address = environment[addressVariable], !address.isEmpty else { return usualAddress }
        return address
    }

    private let address: String
    private let adapter: BlueZAdapter
    private let connection: BusConnection
    private let client: BlueZClient

    private init(address: String, adapter: BlueZAdapter, connection: BusConnection, client: BlueZClient) {
        self.address = address
        self.adapter = adapter
        self.connection = connection
        self.client = client
    }

    /// Finds an adapter that is on.
    ///
    /// - Parameters:
    ///   - address: The bus's address; ``address(in:)`` has the system's.
    ///   - name: The adapter's name, for example `hci0`; nil for the first one that is on.
    /// - Throws: ``RadioError/noBus(address:problem:)``, ``RadioError/noBluetoothService(address:)``,
    ///   ``RadioError/noAdapter``, ``RadioError/adapterOff(_:)``, or ``RadioError/refused(_:reason:)``.
    package static func open(
        _ address: String, adapter name: String? = nil,
        _ configuration: BusConnection.Configuration = BusConnection.Configuration()
    ) async throws(RadioError) -> BlueZRadio {
        let client = BlueZClient()
        let connection: BusConnection
        do {
            connection = try await BusConnection.open(address, handler: client, configuration)
        } catch {
            throw .noBus(address: address, problem: error.problem)
        }
        do throws(RadioError) {
            for rule in BlueZClient.rules {
                _ = try await perform("AddMatch", at: address) { () throws(BusError) in
                    try await connection.listen(rule)
                    return []
                }
            }
            let objects = try await objects(on: connection, at: address)
            let adapter = try BlueZAdapter.choose(among: objects, named: name)
            let owner = try await perform("GetNameOwner", at: address) { () throws(BusError) in
                try await connection.call(BusName.bus.call("GetNameOwner", [.string(BlueZ.service)]))
            }
            client.begin(BlueZClientState(adapterPath: adapter.path, owner: owner.first?.text ?? ""))
            return BlueZRadio(address: address, adapter: adapter, connection: connection, client: client)
        } catch {
            await connection.close()
            throw error
        }
    }

    /// The adapter's name, for example `hci0`.
    package var adapterName: String { adapter.name }

    /// Ends broadcasts, scans and streams.
    package func close() async { await connection.close() }

    package func adverts() async throws(RadioError) -> AsyncStream<Advert> {
        try await requireAdapter()
        let (stream, adverts) = AsyncStream.makeStream(
            of: Advert.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        guard let number = client.change({ $0.addListener(adverts) }) ?? nil else {
            throw .noBus(address: address, problem: "it has closed the connection")
        }
        adverts.onTermination = { [client, connection, path = adapter.path] _ in
            _ = client.change { state in
                guard state.removeListener(number) else { return }
                // Sent while no other listener can start: a later scan starts after this one's end.
                connection.send(Self.call(path, "StopDiscovery"))
            }
        }
        do throws(RadioError) {
            let filter: [String: BusValue] = [
                "UUIDs": .strings(HybridService.allCases.map(\.uuid)), "Transport": .string("le"),
                "DuplicateData": .bool(true),
            ]
            try await call("SetDiscoveryFilter", [.properties(filter)])
            try await startDiscovery()
            for object in try ManagedObject.read(try await Self.objects(on: connection, at: address)) {
                guard let properties = object.interfaces[BusInterface.device.name], properties["RSSI"] != nil else {
                    // A device without signal strength is remembered, and not heard.
                    continue
                }
                _ = client.change { $0.hear(HeardDevice.adverts(in: properties, of: object.path), from: object.path) }
            }
        } catch {
            adverts.finish()
            throw error
        }
        return stream
    }

    package func broadcast(_ advert: Advert) async throws(RadioError) -> AdvertBroadcast {
        guard try await requireAdapter().canAdvertise else { throw .noAdvertising(adapter.name) }
        guard let path = client.change({ $0.addOwn(advert) }) else { throw .closed }
        let manager = BusInterface.advertisingManager.name
        do throws(RadioError) {
            try await call("RegisterAdvertisement", [.path(path), .properties([:])], interface: manager)
        } catch {
            _ = client.change { $0.removeOwn(path) }
            throw error
        }
        return AdvertBroadcast { [client, connection, adapter] in
            guard client.change({ $0.removeOwn(path) }) == true else { return }
            // A failure means that the advert has ended with BlueZ or the bus.
            _ = try? await connection.call(
                Self.call(adapter.path, "UnregisterAdvertisement", [.path(path)], interface: manager))
        }
    }

    /// The adapter's current state.
    @discardableResult private func requireAdapter() async throws(RadioError) -> BlueZAdapter {
        try BlueZAdapter.choose(
            among: try await Self.objects(on: connection, at: address), named: adapter.name)
    }

    /// Starts this client's scan; one that runs is as good.
    private func startDiscovery() async throws(RadioError) {
        do {
            _ = try await connection.call(Self.call(adapter.path, "StartDiscovery"))
        } catch .refused(let refusal) where refusal.name.hasSuffix(".InProgress") {
            return
        } catch {
            throw Self.radioError(error, "StartDiscovery", at: address, adapter: adapter.name)
        }
    }

    private func call(
        _ member: String, _ body: [BusValue], interface: String = BusInterface.adapter.name
    ) async throws(RadioError) {
        do {
            _ = try await connection.call(Self.call(adapter.path, member, body, interface: interface))
        } catch {
            throw Self.radioError(error, member, at: address, adapter: adapter.name)
        }
    }

    private static func call(
        _ path: String, _ member: String, _ body: [BusValue] = [], interface: String = BusInterface.adapter.name
    ) -> BusMessage {
        .call(BlueZ.service, path, interface, member, body)
    }

    private static func objects(on connection: BusConnection, at address: String) async throws(RadioError) -> [BusValue]
    {
        try await perform("GetManagedObjects", at: address) { () throws(BusError) in
            try await connection.call(
                .call(BlueZ.service, BlueZ.root, BusInterface.objectManager.name, "GetManagedObjects"))
        }
    }

    private static func perform(
        _ request: String, at address: String, _ body: () async throws(BusError) -> [BusValue]
    ) async throws(RadioError) -> [BusValue] {
        do {
            return try await body()
        } catch {
            throw radioError(error, request, at: address, adapter: nil)
        }
    }

    private static func radioError(
        _ error: BusError, _ request: String, at address: String, adapter: String?
    ) -> RadioError {
        switch error {
        case .unreachable, .closed: .noBus(address: address, problem: error.problem)
        case .refused(let refusal) where [BusRefusal.serviceUnknown, BusRefusal.nameHasNoOwner].contains(refusal.name):
            .noBluetoothService(address: address)
        case .refused(let refusal) where refusal.name.hasSuffix(".NotReady"): .adapterOff(adapter ?? "")
        case .refused, .noAnswer, .malformed: .refused(request, reason: error.problem)
        }
    }
}
