internal import CTAPHybrid

/// The adverts in the properties of an `org.bluez.Device1`.
enum HeardDevice {
    /// Reads the adverts of the services of hybrid transport; properties of other types have none.
    ///
    /// - Parameters:
    ///   - properties: All properties, or the changed ones.
    ///   - path: The object's path, whose last part is `dev_` and the address.
    static func adverts(in properties: [String: BusValue], of path: String) -> [Advert] {
        guard let data = properties["ServiceData"]?.propertyValues else { return [] }
        var signalStrength: Int8?
        if case .int16(let strength)? = properties["RSSI"] { signalStrength = Int8(exactly: strength) }
        return data.sorted { $0.key < $1.key }.compactMap { uuid, value in
            guard let service = HybridService(uuid: uuid), let bytes = value.byteArray else { return nil }
            return try? Advert(
                service: service, serviceData: bytes, address: address(in: properties, of: path),
                signalStrength: signalStrength)
        }
    }

    private static func address(in properties: [String: BusValue], of path: String) -> BluetoothAddress? {
        if let text = properties["Address"]?.text { return BluetoothAddress(text) }
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard name.hasPrefix("dev_") else { return nil }
        return BluetoothAddress(name.dropFirst("dev_".count).split(separator: "_").joined(separator: ":"))
    }
}
