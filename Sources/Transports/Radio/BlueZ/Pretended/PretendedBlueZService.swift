internal import Synchronization

/// The part of the pretended BlueZ that answers the bus.
final class PretendedBlueZService: BusHandler {
    private struct State {
        var bluez: PretendedBlueZState
        var connection: BusConnection?
        var lastListener = 0
        var listeners: [Int: AsyncStream<Advert>.Continuation] = [:]
        /// The numbers of the clients' adverts that listeners have heard.
        var heard: Set<Int> = []
        var hasEnded = false
    }

    /// The most adverts that wait for a listener's reader.
    private static let mostWaiting = 1024
    /// The bus's signal about clients that come and go.
    static let clientsRule =
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged'"

    private let state: Mutex<State>

    init(_ configuration: PretendedBlueZ.Configuration, generator: some RandomNumberGenerator & Sendable) {
        state = Mutex(State(bluez: PretendedBlueZState(configuration, generator: generator)))
    }

    /// Sends announcements on a connection from now on.
    func attach(_ connection: BusConnection) { state.withLock { $0.connection = connection } }

    func read<Value: Sendable>(_ body: (PretendedBlueZState) -> Value) -> Value {
        state.withLock { body($0.bluez) }
    }

    /// Changes the state, and announces the change before another one.
    @discardableResult
    func change<Value: Sendable, Failure: Error>(
        _ body: (inout PretendedBlueZState) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let outcome: Result<Value, Failure> = state.withLock { state in
            let outcome: Result<Value, Failure>
            do throws(Failure) {
                outcome = .success(try body(&state.bluez))
            } catch {
                outcome = .failure(error)
            }
            let messages = state.bluez.takeOutbox()
            for message in messages { state.connection?.send(message) }
            let foreign = state.bluez.transmissions.filter(\.value.isForeign)
            for (number, transmission) in foreign.sorted(by: { $0.key < $1.key }) where !state.heard.contains(number) {
                for listener in state.listeners.values { listener.yield(transmission.advert) }
            }
            state.heard = Set(foreign.keys)
            return outcome
        }
        return try outcome.get()
    }

    /// Whether the connection has ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    /// The adverts that clients register, with those on the air; nil after the connection's end.
    func adverts() -> AsyncStream<Advert>? {
        let (stream, adverts) = AsyncStream.makeStream(
            of: Advert.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        let key = state.withLock { state -> Int? in
            guard !state.hasEnded else { return nil }
            state.lastListener += 1
            state.listeners[state.lastListener] = adverts
            for (_, transmission) in state.bluez.transmissions.sorted(by: { $0.key < $1.key })
            where transmission.isForeign {
                adverts.yield(transmission.advert)
            }
            return state.lastListener
        }
        guard let key else { return nil }
        adverts.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: key) }
        }
        return stream
    }

    func receive(_ signal: BusMessage, on connection: BusConnection) {
        // Clients cannot send signals in the bus's name.
        guard signal.sender == BusName.bus.name, signal.member == "NameOwnerChanged", signal.body.count == 3,
            let name = signal.body[0].text, signal.body[2] == .string("")
        else { return }
        change { $0.clientLeft(name) }
    }

    func connectionEnded() {
        let listeners = state.withLock { state in
            state.hasEnded = true
            state.connection = nil
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    func answer(_ call: BusMessage, on connection: BusConnection) -> BusAnswer {
        do throws(BusRefusal) {
            return try perform(PretendedCall(call, in: self), on: connection)
        } catch {
            return .refusal(error)
        }
    }

    private func perform(_ call: PretendedCall, on connection: BusConnection) throws(BusRefusal) -> BusAnswer {
        let client = call.client
        switch (call.interface.name, call.member, call.message.body) {
        case (BusInterface.introspectable.name, _, _):
            let children = children(of: call.object.path)
            return .values([.string(BusInterface.introspection(of: call.object.interfaces, children: children))])
        case (BusInterface.objectManager.name, _, _):
            return .values([
                .dictionary(
                    "o", "a{sa{sv}}",
                    read { $0.objects }.map { .init(key: .path($0.path), value: $0.interfacesValue) })
            ])
        case (BusInterface.properties.name, _, _): return try property(call)
        case (_, "StartDiscovery", _): try change { bluez throws(BusRefusal) in try bluez.startDiscovery(client) }
        case (_, "StopDiscovery", _): try change { bluez throws(BusRefusal) in try bluez.stopDiscovery(client) }
        case (_, "SetDiscoveryFilter", let body):
            let values = body.first?.propertyValues ?? [:]
            try change { bluez throws(BusRefusal) in try bluez.setFilter(values, of: client) }
        case (_, "GetDiscoveryFilters", _): return .values([.strings(DiscoveryFilter.names.keys.sorted())])
        case (_, "RemoveDevice", let body):
            let path = body.first?.pathText ?? ""
            try change { bluez throws(BusRefusal) in try bluez.removeDevice(path) }
        case (_, "RegisterAdvertisement", let body):
            return try register(call.message, body.first?.pathText ?? "", on: connection)
        case (_, "UnregisterAdvertisement", let body):
            let registration = PretendedBlueZState.Registration(client: client, path: body.first?.pathText ?? "")
            try change { bluez throws(BusRefusal) in try bluez.unregister(registration) }
        case (BusInterface.device.name, _, _):
            throw BlueZ.refusal("NotAvailable", "Operation currently not available: the device sends adverts only")
        default: break
        }
        return .values([])
    }

    /// The last parts of the paths of the objects below a path, for a reader who goes down the tree.
    private func children(of path: String) -> [String] {
        let start = path == BlueZ.root ? path : path + "/"
        let paths = read { $0.objects.map(\.path) }
        let names = paths.filter { $0.hasPrefix(start) }.compactMap {
            $0.dropFirst(start.count).split(separator: "/").first
        }
        return Set(names).map(String.init).sorted()
    }

    private func property(_ call: PretendedCall) throws(BusRefusal) -> BusAnswer {
        guard let name = call.message.body.first?.text,
            let interface = call.object.interfaces.first(where: { $0.name == name })
        else { throw .unknownInterface(call.message.body.first?.text ?? "") }
        let values = call.object.values[name] ?? [:]
        guard call.member != "GetAll" else { return .values([.properties(values)]) }
        let propertyName = call.message.body[1].text ?? ""
        guard let property = interface.property(propertyName), let value = values[propertyName] else {
            throw .unknownProperty(propertyName)
        }
        guard call.member == "Set" else { return .values([.variant(value)]) }
        guard property.isWritable else { throw .readOnlyProperty(propertyName) }
        guard case .variant(let new) = call.message.body[2], new.signature == property.signature else {
            throw BlueZ.refusal("InvalidArguments", "\(propertyName) has the signature \(property.signature)")
        }
        change { $0.setProperty(propertyName, new) }
        return .values([])
    }

    /// Asks a client for the content of its advert, and answers afterwards.
    private func register(
        _ call: BusMessage, _ path: String, on connection: BusConnection
    ) throws(BusRefusal) -> BusAnswer {
        let registration = PretendedBlueZState.Registration(client: call.sender ?? "", path: path)
        try change { bluez throws(BusRefusal) in try bluez.register(registration) }
        Task {
            do {
                let answer = try await connection.call(
                    .call(
                        registration.client, path, BusInterface.properties.name, "GetAll",
                        [.string(BusInterface.advertisement.name)]))
                let adverts = try RegisteredAdvert.adverts(in: answer.first?.propertyValues)
                let isRegistered = change { $0.complete(registration, with: adverts) }
                guard isRegistered else { throw BlueZ.refusal("Failed", "Failed to register advertisement") }
                connection.send(call.answer())
            } catch {
                let refusal = error as? BusRefusal
                try? change { bluez throws(BusRefusal) in try bluez.unregister(registration) }
                connection.send(
                    call.refusal(refusal ?? BlueZ.refusal("Failed", "Failed to parse advertisement: \(error)")))
            }
        }
        return .later
    }
}
