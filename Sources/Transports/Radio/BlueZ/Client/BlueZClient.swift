internal import Synchronization

/// The part of a client of BlueZ that receives signals, and answers calls of its adverts.
final class BlueZClient: BusHandler {
    /// The signals of devices and the adapter, and the end of BlueZ.
    static let rules = [
        "type='signal',sender='org.bluez',path='/',interface='org.freedesktop.DBus.ObjectManager'",
        "type='signal',sender='org.bluez',path_namespace='/org/bluez',interface='org.freedesktop.DBus.Properties'",
        "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'",
    ]

    /// nil before the adapter is found.
    private let state = Mutex<BlueZClientState?>(nil)

    func begin(_ new: BlueZClientState) { state.withLock { $0 = new } }

    /// Changes the state; nil before the adapter is found.
    func change<Value: Sendable>(_ body: (inout BlueZClientState) -> Value) -> Value? {
        state.withLock { state in
            guard var changed = state else { return nil }
            defer { state = changed }
            return body(&changed)
        }
    }

    func receive(_ signal: BusMessage, on connection: BusConnection) {
        if signal.sender == BusName.bus.name {
            if signal.member == "NameOwnerChanged", signal.body.first?.text == BlueZ.service { connectionEnded() }
            return
        }
        let finished = change { state -> [AsyncStream<Advert>.Continuation] in
            guard signal.sender == state.owner else { return [] }
            return Self.note(signal, in: &state)
        }
        for adverts in finished ?? [] { adverts.finish() }
    }

    /// Takes note of a signal of BlueZ; returns the streams that end with it.
    private static func note(
        _ signal: BusMessage, in state: inout BlueZClientState
    ) -> [AsyncStream<Advert>.Continuation] {
        switch (signal.member, signal.body.first, signal.body.dropFirst().first) {
        case ("InterfacesAdded", .path(let path)?, let interfaces?):
            guard let properties = interfaces.interfaceValues?[BusInterface.device.name] else { return [] }
            state.hear(HeardDevice.adverts(in: properties, of: path), from: path)
        case ("InterfacesRemoved", .path(let path)?, let interfaces?):
            if path == state.adapterPath, interfaces.texts?.contains(BusInterface.adapter.name) == true {
                return state.takeListeners()
            }
            state.forget(path)
        case ("PropertiesChanged", .string(BusInterface.device.name)?, let changed?):
            let path = signal.path ?? ""
            state.hear(HeardDevice.adverts(in: changed.propertyValues ?? [:], of: path), from: path)
        case ("PropertiesChanged", .string(BusInterface.adapter.name)?, let changed?):
            let isOff = changed.propertyValues?["Powered"] == .bool(false)
            return isOff && signal.path == state.adapterPath ? state.takeListeners() : []
        default: break
        }
        return []
    }

    func connectionEnded() {
        for adverts in change({ $0.end() }) ?? [] { adverts.finish() }
    }

    func answer(_ call: BusMessage, on connection: BusConnection) -> BusAnswer {
        let path = call.path ?? ""
        guard let (properties, isOwner) = change({ ($0.properties(of: path), call.sender == $0.owner) }),
            let properties
        else { return .refusal(.unknownObject(path)) }
        switch (call.member, call.body) {
        case ("Release", []) where isOwner:
            _ = change { $0.removeOwn(path) }
            return .values([])
        case ("GetAll", [.string(BusInterface.advertisement.name)]): return .values([.properties(properties)])
        case ("Get", let body) where body.count == 2 && body.first == .string(BusInterface.advertisement.name):
            let name = body[1].text ?? ""
            return properties[name].map { .values([.variant($0)]) } ?? .refusal(.unknownProperty(name))
        case ("Introspect", []):
            let interfaces: [BusInterface] = [.introspectable, .properties, .advertisement]
            return .values([.string(BusInterface.introspection(of: interfaces, children: []))])
        default: return .refusal(.unknownMethod(call.member ?? ""))
        }
    }
}
