internal import CTAPHybrid

/// A call of an existing method with parameters of the right types.
struct PretendedCall: Sendable {
    let message: BusMessage
    let object: PretendedObject
    let interface: BusInterface
    let member: String
    /// The unique name of the caller.
    var client: String { message.sender ?? "" }

    /// Finds the object and the method of a call.
    ///
    /// - Throws: the refusal of a call that does not fit.
    init(_ message: BusMessage, in service: PretendedBlueZService) throws(BusRefusal) {
        let path = message.path ?? ""
        let member = message.member ?? ""
        let object = try Self.object(path, in: service)
        // A call may omit the interface.
        let interfaces = object.interfaces + (object.interfaces.contains(.peer) ? [] : [.peer])
        let candidates = interfaces.filter { message.interface == nil || $0.name == message.interface }
        guard !candidates.isEmpty else { throw .unknownInterface(message.interface ?? "") }
        guard let interface = candidates.first(where: { $0.method(member) != nil }),
            let method = interface.method(member)
        else { throw .unknownMethod(member) }
        guard message.signature == method.parameters.joined() else {
            throw .invalidArguments(
                "\(member) has parameters of the signature \"\(method.parameters.joined())\", not \"\(message.signature)\""
            )
        }
        self.message = message
        self.object = object
        self.interface = interface
        self.member = member
    }

    private static func object(_ path: String, in service: PretendedBlueZService) throws(BusRefusal) -> PretendedObject
    {
        guard path != BlueZ.root else { return .root }
        let objects = service.read(\.objects)
        if let object = objects.first(where: { $0.path == path }) { return object }
        // A path above an object can be looked at.
        guard objects.contains(where: { $0.path.hasPrefix(path + "/") }) else { throw .unknownObject(path) }
        return .between(path)
    }
}

/// The content of a client's `org.bluez.LEAdvertisement1`.
enum RegisteredAdvert {
    private static let types: Set<String> = ["peripheral", "broadcast"]

    /// The adverts of the services of hybrid transport; none for an advert of other services.
    ///
    /// - Throws: BlueZ's refusal of missing properties and wrong types.
    static func adverts(in properties: [String: BusValue]?) throws(BusRefusal) -> [Advert] {
        guard let properties, let type = properties["Type"]?.text, types.contains(type) else {
            throw BlueZ.refusal("Failed", "Failed to parse advertisement: Type is not peripheral or broadcast")
        }
        guard properties["ServiceUUIDs"].map({ $0.texts != nil }) != false,
            properties["ServiceData"].map({ $0.propertyValues != nil }) != false
        else { throw BlueZ.refusal("Failed", "Failed to parse advertisement: a property has another type") }
        var adverts: [Advert] = []
        for (uuid, value) in (properties["ServiceData"]?.propertyValues ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let bytes = value.byteArray else {
                throw BlueZ.refusal("Failed", "Failed to parse advertisement: ServiceData of \(uuid) is not bytes")
            }
            guard let service = HybridService(uuid: uuid) else { continue }
            guard let advert = try? Advert(service: service, serviceData: bytes) else {
                throw BlueZ.refusal("InvalidLength", "Invalid Length: ServiceData of \(uuid)")
            }
            adverts.append(advert)
        }
        return adverts
    }
}
