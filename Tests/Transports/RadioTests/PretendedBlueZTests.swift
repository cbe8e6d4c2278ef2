import CTAPHybrid
import Radio
import TestSupport
import Testing

/// Hands BlueZ's signals to the test.
private struct Listener: BusHandler {
    let signals = Signal<BusMessage>()

    func receive(_ signal: BusMessage, on connection: BusConnection) {
        if signal.sender != "org.freedesktop.DBus" { signals.send(signal) }
    }

    /// The next signal as its member's name and its first parameter.
    func next() async -> [String] {
        guard let signal = await signals.next() else { return ["the connection ended"] }
        let first = signal.body.first
        return [signal.member ?? "", first?.pathText ?? first?.text ?? ""]
    }
}

@Suite(.timeLimit(.minutes(10))) struct PretendedBlueZTests {
    private static let adapter = "/org/bluez/hci0"
    private static let adapterInterface = "org.bluez.Adapter1"
    private static let device = "/org/bluez/hci0/dev_C1_22_33_44_55_66"

    private static func call(_ member: String, _ body: [BusValue] = []) -> BusMessage {
        .call("org.bluez", adapter, adapterInterface, member, body)
    }

    /// Runs a test with a bench and a client that listens.
    private static func with(
        _ condition: PretendedBlueZ.AdapterCondition = .on,
        _ use: (PretendedBench, BusConnection, Listener) async throws -> Void
    ) async throws {
        try await PretendedBench.with(condition) { bench in
            let listener = Listener()
            let client = try await BusConnection.open(bench.bus.address, handler: listener)
            try await client.listen("type='signal',sender='org.bluez'")
            try await use(bench, client, listener)
            await client.close()
        }
    }

    private static func advert(_ byte: UInt8, _ service: HybridService = .fido, dBm: Int8? = nil) throws -> Advert {
        try Advert(
            service: service, serviceData: [byte], address: BluetoothAddress("C1:22:33:44:55:66"), signalStrength: dBm)
    }

    @Test func anAdvertIsADeviceWhileAClientScans() async throws {
        try await Self.with { bench, client, listener in
            let first = try await bench.bluez.broadcast(Self.advert(1, dBm: -70))
            _ = try await client.call(Self.call("StartDiscovery"))
            #expect(await listener.next() == ["PropertiesChanged", Self.adapterInterface])
            let added = await listener.signals.next()
            #expect(added?.path == "/")
            #expect(added?.interface == "org.freedesktop.DBus.ObjectManager")
            #expect(added?.member == "InterfacesAdded")
            #expect(added?.body.first == .path(Self.device))
            let properties = added?.body.last?.interfaceValues?["org.bluez.Device1"]
            #expect(properties?["Address"] == .string("C1:22:33:44:55:66"))
            #expect(properties?["Adapter"] == .path(Self.adapter))
            #expect(properties?["RSSI"] == .int16(-70))
            #expect(properties?["UUIDs"] == .strings([HybridService.fido.uuid]))
            #expect(properties?["ServiceData"] == .properties([HybridService.fido.uuid: .bytes([1])]))
            // A second advert of the device changes it.
            let second = try await bench.bluez.broadcast(Self.advert(2, .google, dBm: -70))
            let changed = await listener.signals.next()
            #expect(changed?.path == Self.device)
            #expect(
                changed?.body[1].propertyValues == [
                    "UUIDs": .strings([HybridService.google.uuid, HybridService.fido.uuid]),
                    "ServiceData": .properties([
                        HybridService.fido.uuid: .bytes([1]), HybridService.google.uuid: .bytes([2]),
                    ]),
                ])
            await first.end()
            #expect(await listener.next() == ["PropertiesChanged", "org.bluez.Device1"])
            await second.end()
            #expect(await listener.next() == ["InterfacesRemoved", Self.device])
            _ = try await client.call(Self.call("StopDiscovery"))
            #expect(await listener.next() == ["PropertiesChanged", Self.adapterInterface])
        }
    }

    @Test func aDeviceThatIsKnownIsHeardAgainByTheNextScan() async throws {
        try await Self.with { bench, client, listener in
            let other = try await BusConnection.open(bench.bus.address)
            _ = try await other.call(Self.call("StartDiscovery"))
            let broadcast = try await bench.bluez.broadcast(Self.advert(1))
            #expect(await listener.next() == ["PropertiesChanged", Self.adapterInterface])
            #expect(await listener.next() == ["InterfacesAdded", Self.device])
            _ = try await client.call(Self.call("StartDiscovery"))
            #expect(await listener.next() == ["PropertiesChanged", "org.bluez.Device1"])
            await broadcast.end()
            await other.close()
        }
    }

    @Test(
        "A filter lets fitting adverts pass",
        arguments: [
            ([:], true), (["UUIDs": .strings(["fff9"])], true), (["UUIDs": .strings([])], true),
            (["UUIDs": .strings([HybridService.google.uuid])], false), (["UUIDs": .strings(["180d"])], false),
            (["Transport": .string("le")], true), (["Transport": .string("bredr")], false),
            (["RSSI": .int16(-60)], true), (["RSSI": .int16(-59)], false), (["DuplicateData": .bool(true)], true),
        ] as [([String: BusValue], Bool)])
    func filters(values: [String: BusValue], passes: Bool) async throws {
        try await Self.with { bench, client, listener in
            _ = try await client.call(Self.call("SetDiscoveryFilter", [.properties(values)]))
            let broadcast = try await bench.bluez.broadcast(Self.advert(1, dBm: -60))
            _ = try await client.call(Self.call("StartDiscovery"))
            #expect(await listener.next() == ["PropertiesChanged", Self.adapterInterface])
            bench.bluez.setAdapter(.absent)
            let next = await listener.next()
            #expect(
                next == (passes ? ["InterfacesAdded", Self.device] : ["PropertiesChanged", Self.adapterInterface]))
            await broadcast.end()
        }
    }

    @Test func theEndOfAClientEndsItsScan() async throws {
        try await Self.with { bench, _, listener in
            let other = try await BusConnection.open(bench.bus.address)
            _ = try await other.call(Self.call("StartDiscovery"))
            let started = await listener.signals.next()
            #expect(started?.body[1].propertyValues == ["Discovering": .bool(true)])
            await other.close()
            let ended = await listener.signals.next()
            #expect(ended?.body[1].propertyValues == ["Discovering": .bool(false)])
        }
    }

    @Test func theAdapterComesAndGoes() async throws {
        try await Self.with(.absent) { bench, client, listener in
            await #expect(throws: BusError.self) { try await client.call(Self.call("StartDiscovery")) }
            bench.bluez.setAdapter(.off)
            #expect(await listener.next() == ["InterfacesAdded", Self.adapter])
            await #expect(throws: BusError.refused(BusRefusal("org.bluez.Error.NotReady", "Resource Not Ready"))) {
                try await client.call(Self.call("StartDiscovery"))
            }
            bench.bluez.setAdapter(.on)
            let on = await listener.signals.next()
            #expect(on?.body[1].propertyValues == ["Powered": .bool(true)])
            let broadcast = try await bench.bluez.broadcast(Self.advert(1))
            _ = try await client.call(Self.call("StartDiscovery"))
            #expect(await listener.next() == ["PropertiesChanged", Self.adapterInterface])
            #expect(await listener.next() == ["InterfacesAdded", Self.device])
            bench.bluez.setAdapter(.off)
            #expect(await listener.next() == ["PropertiesChanged", Self.adapterInterface])
            let stopped = await listener.signals.next()
            #expect(stopped?.body[1].propertyValues == ["Discovering": .bool(false)])
            #expect(await listener.next() == ["InterfacesRemoved", Self.device])
            bench.bluez.setAdapter(.absent)
            #expect(await listener.next() == ["InterfacesRemoved", Self.adapter])
            #expect(bench.bluez.adapter == .absent)
            await broadcast.end()
        }
    }

    @Test func aSecondServiceOfTheNameIsAnError() async throws {
        try await PretendedBench.with { bench in
            let error = await #expect(throws: RadioError.self) {
                try await PretendedBlueZ.start(on: bench.bus.address, generator: SeededGenerator(seed: 4))
            }
            #expect(error?.description.contains("another service has the name org.bluez") == true)
        }
    }

    @Test func aStoppedServiceEndsItsStreamsAndRefuses() async throws {
        try await withBus { bus in
            let bluez = try await PretendedBlueZ.start(on: bus.address, generator: SeededGenerator(seed: 6))
            let heard = try await bluez.adverts()
            await bluez.stop()
            #expect(await heard.first(1) == [])
            await #expect(throws: RadioError.closed) { try await bluez.adverts() }
            await #expect(throws: RadioError.closed) { try await bluez.broadcast(Self.advert(1)) }
        }
    }

    @Test func gdbusReadsTheObjects() async throws {
        try await PretendedBench.with { bench in
            let objects = try await bench.gdbus("/", "org.freedesktop.DBus.ObjectManager.GetManagedObjects")
            for part in [
                "objectpath '/org/bluez'", "'org.bluez.AgentManager1'", "'/org/bluez/hci0': {",
                "'org.bluez.Adapter1': {'Address': <'00:00:5E:00:53:01'>", "'Powered': <true>", "'Name': <'bench'>",
                "'org.bluez.LEAdvertisingManager1': {'ActiveInstances': <byte 0x00>",
            ] {
                #expect(objects.text.contains(part), "\(part)")
            }
            let tree = try await ForeignProgram.gdbus(
                bench.bus, "introspect", "--dest", "org.bluez", "--object-path", "/", "--recurse", "--only-properties")
            #expect(tree.text.contains("readwrite b Powered = true"))
        }
    }

    @Test(
        "A call that does not fit is refused, and the service goes on",
        arguments: [
            ("/", "a.b.C", [], "UnknownInterface"), ("/none", "org.bluez.Adapter1.StartDiscovery", [], "UnknownObject"),
            (adapter, "org.bluez.Adapter1.Nothing", [], "UnknownMethod"),
            (adapter, "org.bluez.Adapter1.StartDiscovery", ["1"], "InvalidArgs"),
            (adapter, "org.bluez.Adapter1.SetDiscoveryFilter", ["{'UUIDs': <1>}"], "InvalidArguments"),
            (adapter, "org.bluez.Adapter1.SetDiscoveryFilter", ["{'Nothing': <1>}"], "InvalidArguments"),
            (adapter, "org.bluez.Adapter1.SetDiscoveryFilter", ["{'Transport': <'x'>}"], "InvalidArguments"),
            (adapter, "org.bluez.Adapter1.RemoveDevice", ["objectpath '/none'"], "DoesNotExist"),
            (adapter, "org.bluez.Adapter1.StopDiscovery", [], "No discovery started"),
            (adapter, "org.bluez.LEAdvertisingManager1.UnregisterAdvertisement", ["objectpath '/a'"], "DoesNotExist"),
            (
                adapter, "org.bluez.LEAdvertisingManager1.RegisterAdvertisement", ["objectpath '/a'", "@a{sv} {}"],
                "Failed"
            ),
            (adapter, "org.freedesktop.DBus.Properties.Get", ["org.bluez.Adapter1", "Nothing"], "UnknownProperty"),
            (adapter, "org.freedesktop.DBus.Properties.GetAll", ["a.b"], "UnknownInterface"),
            (
                adapter, "org.freedesktop.DBus.Properties.Set", ["org.bluez.Adapter1", "Name", "<'a'>"],
                "PropertyReadOnly"
            ),
            (
                adapter, "org.freedesktop.DBus.Properties.Set", ["org.bluez.Adapter1", "Powered", "<1>"],
                "InvalidArguments"
            ),
        ] as [(String, String, [String], String)])
    func refuses(path: String, method: String, arguments: [String], error: String) async throws {
        try await PretendedBench.with { bench in
            let answer = try await ForeignProgram.run(
                ForeignProgram.find("gdbus"),
                [
                    "call", "--address", bench.bus.address, "--dest", "org.bluez", "--object-path", path, "--method",
                    method,
                ]
                    + arguments, on: bench.bus)
            #expect(answer.status == 1)
            #expect(answer.text.contains(error), "\(answer.text)")
            let ping = try await bench.gdbus("/", "org.freedesktop.DBus.Peer.Ping")
            #expect(ping.status == 0)
        }
    }

    @Test(
        "Parameters of other types are refused",
        arguments: [[], [.string("x")], [.properties([:]), .byte(0)], [.dictionary("s", "s", [])], [.array("v", [])]]
            as [[BusValue]])
    func refusesParameters(body: [BusValue]) async throws {
        try await Self.with { _, client, _ in
            let error = await #expect(throws: BusError.self) {
                try await client.call(Self.call("SetDiscoveryFilter", body))
            }
            guard case .refused(let refusal) = error else { throw try #require(error) }
            #expect(refusal.name == "org.freedesktop.DBus.Error.InvalidArgs")
        }
    }

    @Test func randomCallsAreAnswered() async throws {
        try await Self.with { bench, client, _ in
            var generator = SeededGenerator(seed: 21)
            let paths = ["/", "/org", "/org/bluez", Self.adapter, Self.device, "/a"]
            let interfaces = [
                Self.adapterInterface, "org.bluez.LEAdvertisingManager1", "org.bluez.AgentManager1",
                "org.bluez.Device1",
                "org.freedesktop.DBus.Properties", "org.freedesktop.DBus.ObjectManager",
                "org.freedesktop.DBus.Introspectable",
            ]
            let members = [
                "StartDiscovery", "StopDiscovery", "SetDiscoveryFilter", "RemoveDevice", "RegisterAdvertisement",
                "UnregisterAdvertisement", "RegisterAgent", "Connect", "Get", "Set", "GetAll", "GetManagedObjects",
                "Introspect", "Release",
            ]
            let values: [BusValue] = [
                .string("org.bluez.Adapter1"), .string("Powered"), .string(""), .path("/a"), .path(Self.device),
                .variant(.bool(true)), .variant(.variant(.byte(1))), .properties([:]),
                .properties(["UUIDs": .strings(["fff9"])]), .properties(["RSSI": .string("x")]), .byte(0), .strings([]),
                .dictionary("s", "s", []), .structure([.byte(1)]),
            ]
            let broadcast = try await bench.bluez.broadcast(Self.advert(1))
            var (answered, refused) = (0, 0)
            for _ in 0..<1500 {
                let body = (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
                    values.randomElement(using: &generator)
                }
                let call = BusMessage.call(
                    "org.bluez", paths.randomElement(using: &generator) ?? "/",
                    interfaces.randomElement(using: &generator) ?? "", members.randomElement(using: &generator) ?? "",
                    body)
                do {
                    _ = try await client.call(call)
                    answered += 1
                } catch BusError.refused {
                    refused += 1
                }
            }
            #expect(answered > 0 && refused > 0)
            await broadcast.end()
        }
    }
}
