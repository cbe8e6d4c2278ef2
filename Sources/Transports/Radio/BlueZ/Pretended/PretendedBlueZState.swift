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
    var generator: any RandomNumberGenerator & Sendable
    var adapter: PretendedAdapter?
    var lastNumber = 0
    var transmissions: [Int: Transmission] = [:]
    var devices: [BluetoothAddress: PretendedDevice] = [:]
    /// The filters of clients, also of those that do not scan.
    var filters: [String: DiscoveryFilter] = [:]
    /// The clients that scan.
    var scanners: Set<String> = []
    /// The registrations with the numbers of their transmissions.
    var registrations: [Registration: [Int]] = [:]
    var outbox: [BusMessage] = []

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

    static func adapter(
        _ condition: PretendedBlueZ.AdapterCondition, _ configuration: PretendedBlueZ.Configuration
    ) -> PretendedAdapter? {
        guard condition != .absent else { return nil }
        return PretendedAdapter(
            address: configuration.address, name: configuration.name, isPowered: condition == .on)
    }
}
