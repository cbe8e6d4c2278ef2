import Radio
import Synchronization
import TestSupport
import Testing

/// A service with the name of BlueZ that answers as the test says.
private struct FalseBlueZ: BusHandler {
    let answers: @Sendable (String) -> BusAnswer

    func answer(_ call: BusMessage, on connection: BusConnection) -> BusAnswer { answers(call.member ?? "") }
}

@Suite(.timeLimit(.minutes(10))) struct HostileBlueZTests {
    private static let adapterPath = "/org/bluez/hci0"
    private static let devicePath = "/org/bluez/hci0/dev_C1_22_33_44_55_66"

    private static func objects(_ interfaces: [(String, [String: BusValue])]) -> BusValue {
        .dictionary(
            "o", "a{sa{sv}}",
            [
                .init(
                    key: .path(adapterPath),
                    value: .dictionary(
                        "s", "a{sv}", interfaces.map { .init(key: .string($0.0), value: .properties($0.1)) }))
            ])
    }

    private static let adapter = objects([
        ("org.bluez.Adapter1", ["Powered": .bool(true)]), ("org.bluez.LEAdvertisingManager1", [:]),
    ])

    /// Runs a test with a false BlueZ, and its connection.
    private static func with(
        _ answers: @escaping @Sendable (String) -> BusAnswer, _ use: (BusDaemon, BusConnection) async throws -> Void
    ) async throws {
        try await withBus { bus in
            let service = try await BusConnection.open(bus.address, handler: FalseBlueZ(answers: answers))
            #expect(try await service.take("org.bluez"))
            try await use(bus, service)
            await service.close()
        }
    }

    @Test(
        "An answer to GetManagedObjects of another type is an error",
        arguments: [
            [], [.string("x")], [.array("o", [])], [.dictionary("s", "a{sa{sv}}", [])],
            [.dictionary("o", "a{sv}", [.init(key: .path("/"), value: .properties([:]))])], [adapter, .byte(1)],
        ] as [[BusValue]])
    func refusesObjects(answer: [BusValue]) async throws {
        try await Self.with({ _ in .values(answer) }) { bus, _ in
            let error = await #expect(throws: RadioError.self) { try await BlueZRadio.open(bus.address) }
            guard case .refused("GetManagedObjects", _) = error else { throw try #require(error) }
        }
    }

    @Test(
        "An adapter whose power is not a truth value is off",
        arguments: [[:], ["Powered": .string("yes")], ["Powered": .byte(1)]] as [[String: BusValue]])
    func refusesPower(properties: [String: BusValue]) async throws {
        try await Self.with({ _ in .values([Self.objects([("org.bluez.Adapter1", properties)])]) }) { bus, _ in
            await #expect(throws: RadioError.adapterOff("hci0")) { try await BlueZRadio.open(bus.address) }
        }
    }

    @Test func anAdapterWithoutManagerOfAdvertsCannotBroadcast() async throws {
        let objects = Self.objects([("org.bluez.Adapter1", ["Powered": .bool(true)])])
        try await Self.with({ _ in .values([objects]) }) { bus, _ in
            let radio = try await BlueZRadio.open(bus.address)
            await #expect(throws: RadioError.noAdvertising("hci0")) {
                try await radio.broadcast(Advert(serviceData: []))
            }
            await radio.close()
        }
    }

    @Test("A refused request is an error that names it", arguments: ["SetDiscoveryFilter", "StartDiscovery"])
    func refusedScan(member: String) async throws {
        let answers: @Sendable (String) -> BusAnswer = {
            $0 == member ? .refusal(BusRefusal("org.bluez.Error.Failed", "no")) : .values([Self.adapter])
        }
        try await Self.with(answers) { bus, _ in
            let radio = try await BlueZRadio.open(bus.address)
            await #expect(throws: RadioError.refused(member, reason: "no (org.bluez.Error.Failed)")) {
                try await radio.adverts()
            }
            await radio.close()
        }
    }

    @Test func aServiceThatIsSilentIsGivenUp() async throws {
        try await Self.with({ _ in .later }) { bus, _ in
            var configuration = BusConnection.Configuration()
            configuration.answerLimit = .seconds(1)
            await #expect(
                throws: RadioError.refused(
                    "GetManagedObjects", reason: "the service does not answer GetManagedObjects; restart the service")
            ) { try await BlueZRadio.open(bus.address, configuration) }
        }
    }

    @Test func signalsOfOtherTypesAndSendersAreIgnored() async throws {
        try await Self.with({ _ in .values([Self.adapter]) }) { bus, service in
            let radio = try await BlueZRadio.open(bus.address)
            let heard = try await radio.adverts()
            let stranger = try await BusConnection.open(bus.address)
            let values: [BusValue] = [
                .byte(1), .string("org.bluez.Device1"), .path(Self.devicePath), .properties([:]), .strings([]),
                .properties(["ServiceData": .byte(1)]),
                .properties(["ServiceData": .properties(["fff9": .string("x")])]),
                .properties(["ServiceData": .properties(["none": .bytes([1])])]),
                .properties([
                    "ServiceData": .properties(["fff9": .bytes(Array(repeating: 0, count: 300))]), "RSSI": .string("x"),
                ]),
                .dictionary(
                    "s", "a{sv}", [.init(key: .string("org.bluez.Device1"), value: .properties(["Address": .byte(0)]))]),
            ]
            for first in values {
                for second in values {
                    for member in ["InterfacesAdded", "InterfacesRemoved", "PropertiesChanged", "Nothing"] {
                        service.send(.signal("/", "org.freedesktop.DBus.ObjectManager", member, [first, second]))
                        service.send(
                            .signal(Self.devicePath, "org.freedesktop.DBus.Properties", member, [first, second]))
                    }
                }
            }
            let good: BusValue = .properties(["ServiceData": .properties(["fff9": .bytes([7])]), "RSSI": .int16(-300)])
            var forged = BusMessage.signal(
                Self.devicePath, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                [.string("org.bluez.Device1"), .properties(["ServiceData": .properties(["fff9": .bytes([6])])])])
            // A signal to one client passes every rule; the radio is one of the bus's first clients.
            for number in 0..<5 {
                forged.destination = ":1.\(number)"
                stranger.send(forged)
            }
            // The answer comes after the signal.
            #expect(try await !stranger.take("org.bluez"))
            service.send(
                .signal(
                    "/org/bluez/hci9/dev_C1_22_33_44_55_66", "org.freedesktop.DBus.Properties", "PropertiesChanged",
                    [.string("org.bluez.Device1"), good]))
            service.send(
                .signal(
                    Self.devicePath, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                    [.string("org.bluez.Device1"), good]))
            let expected = try Advert(serviceData: [7], address: BluetoothAddress("C1:22:33:44:55:66"))
            #expect(await heard.first(1) == [expected])
            await stranger.close()
            await radio.close()
        }
    }

    @Test(
        "The pretended BlueZ refuses an advert whose properties do not fit",
        arguments: [
            ([], "Failed"), ([.byte(1)], "Failed"), ([.properties([:])], "Failed"),
            ([.properties(["Type": .string("x")])], "Failed"),
            ([.properties(["Type": .string("broadcast"), "ServiceUUIDs": .byte(1)])], "Failed"),
            ([.properties(["Type": .string("broadcast"), "ServiceData": .strings([])])], "Failed"),
            (
                [.properties(["Type": .string("broadcast"), "ServiceData": .properties(["fff9": .byte(1)])])],
                "Failed"
            ),
            (
                [
                    .properties([
                        "Type": .string("broadcast"),
                        "ServiceData": .properties(["fff9": .bytes(Array(repeating: 1, count: 253))]),
                    ])
                ], "InvalidLength"
            ),
        ] as [([BusValue], String)])
    func refusesAdvert(answer: [BusValue], error: String) async throws {
        try await PretendedBench.with { bench in
            let client = try await BusConnection.open(
                bench.bus.address, handler: FalseBlueZ(answers: { _ in .values(answer) }))
            // The place of a refused advert is free again.
            for _ in 0..<6 {
                do {
                    _ = try await client.call(
                        .call(
                            "org.bluez", Self.adapterPath, "org.bluez.LEAdvertisingManager1", "RegisterAdvertisement",
                            [.path("/a"), .properties([:])]))
                    Issue.record("the advert is accepted")
                } catch BusError.refused(let refusal) {
                    #expect(refusal.name == "org.bluez.Error.\(error)")
                }
            }
            await client.close()
        }
    }
}
