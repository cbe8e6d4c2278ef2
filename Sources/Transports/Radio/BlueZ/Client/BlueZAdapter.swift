/// An adapter among the objects of BlueZ.
struct BlueZAdapter: Hashable, Sendable {
    let path: String
    let isPowered: Bool
    let canAdvertise: Bool

    /// The last part of the path, for example `hci0`.
    var name: String { String(path.split(separator: "/").last ?? "") }

    /// The adapter to use: the first one that is on.
    ///
    /// - Parameters:
    ///   - objects: The answer to `GetManagedObjects`.
    ///   - name: The adapter's name; nil for any.
    /// - Throws: ``RadioError/noAdapter`` and ``RadioError/adapterOff(_:)``; also ``RadioError/refused(_:reason:)`` for an
    ///   answer of another type.
    static func choose(among objects: [BusValue], named name: String? = nil) throws(RadioError) -> BlueZAdapter {
        let adapters = try read(objects).filter { name == nil || $0.name == name }
        if let adapter = adapters.first(where: \.isPowered) { return adapter }
        guard let adapter = adapters.first else { throw .noAdapter }
        throw .adapterOff(adapter.name)
    }

    private static func read(_ objects: [BusValue]) throws(RadioError) -> [BlueZAdapter] {
        try ManagedObject.read(objects).compactMap { object in
            guard let properties = object.interfaces[BusInterface.adapter.name] else { return nil }
            return BlueZAdapter(
                path: object.path, isPowered: properties["Powered"]?.truth == true,
                canAdvertise: object.interfaces[BusInterface.advertisingManager.name] != nil)
        }
    }
}

/// An object in the answer to `GetManagedObjects`.
struct ManagedObject: Hashable, Sendable {
    let path: String
    let interfaces: [String: [String: BusValue]]

    /// Reads an answer, a dictionary `a{oa{sa{sv}}}`, in the order of the paths.
    ///
    /// - Throws: ``RadioError/refused(_:reason:)`` for an answer of another type.
    static func read(_ answer: [BusValue]) throws(RadioError) -> [ManagedObject] {
        guard answer.count == 1, case .dictionary("o", "a{sa{sv}}", let entries)? = answer.first else {
            let signature = answer.map(\.signature).joined()
            throw .refused("GetManagedObjects", reason: "its answer has the signature \"\(signature)\"")
        }
        return entries.compactMap { entry in
            guard let path = entry.key.pathText, let interfaces = entry.value.interfaceValues else { return nil }
            return ManagedObject(path: path, interfaces: interfaces)
        }.sorted { $0.path < $1.path }
    }
}
