internal import CTAPHybrid

/// A client's filter for discovered devices (`SetDiscoveryFilter` of `org.bluez.Adapter1`).
struct DiscoveryFilter: Hashable, Sendable {
    /// The filters that BlueZ knows, with their signatures.
    static let names: [String: String] = [
        "UUIDs": "as", "RSSI": "n", "Pathloss": "q", "Transport": "s", "DuplicateData": "b", "Discoverable": "b",
        "Pattern": "s",
    ]
    private static let transports: Set<String> = ["auto", "bredr", "le"]

    /// The UUIDs of which a device has one; nil for any device.
    private var services: Set<HybridService>?
    private var leastSignalStrength: Int16?
    private var coversLowEnergy = true

    /// The filter of a client that sets none.
    static let none = DiscoveryFilter()

    private init() {}

    /// Reads a filter.
    ///
    /// - Throws: BlueZ's refusal of unknown filters and other types.
    init(_ values: [String: BusValue]) throws(BusRefusal) {
        for (name, value) in values {
            guard let signature = Self.names[name], value.signature == signature else {
                throw BlueZ.refusal("InvalidArguments", "Invalid arguments in method call: \(name)")
            }
        }
        // An empty list lets every device pass.
        if let uuids = values["UUIDs"]?.texts, !uuids.isEmpty {
            services = Set(uuids.compactMap { HybridService(uuid: $0) })
        }
        if case .int16(let strength)? = values["RSSI"] { leastSignalStrength = strength }
        if let transport = values["Transport"]?.text {
            guard Self.transports.contains(transport) else {
                throw BlueZ.refusal("InvalidArguments", "Invalid arguments in method call: \(transport)")
            }
            coversLowEnergy = transport != "bredr"
        }
    }

    /// Whether an advert passes.
    func passes(_ advert: Advert) -> Bool {
        let strength = Int16(advert.signalStrength ?? PretendedDevice.usualSignalStrength)
        return coversLowEnergy && services?.contains(advert.service) != false
            && leastSignalStrength.map { strength >= $0 } != false
    }
}
