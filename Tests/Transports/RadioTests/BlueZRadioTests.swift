import CTAPHybrid
import Radio
import TestSupport
import Testing

/// The client of BlueZ with the pretended BlueZ.
@Suite(.timeLimit(.minutes(10))) struct BlueZRadioTests {
    private static let address = BluetoothAddress("C1:22:33:44:55:66")

    private static func advert(_ byte: UInt8, _ service: HybridService = .fido) throws -> Advert {
        try Advert(service: service, serviceData: [byte], address: address, signalStrength: -70)
    }

    @Test("It hears adverts of both services", arguments: HybridService.allCases)
    func hears(service: HybridService) async throws {
        try await PretendedBench.with { bench in
            let radio = try await BlueZRadio.open(bench.bus.address)
            #expect(radio.adapterName == "hci0")
            let heard = try await radio.adverts()
            let broadcast = try await bench.bluez.broadcast(Self.advert(1, service))
            #expect(await heard.first(1) == [try Self.advert(1, service)])
            await broadcast.end()
            await radio.close()
        }
    }

    @Test func itHearsAnAdvertThatIsOnTheAirAlready() async throws {
        try await PretendedBench.with { bench in
            let broadcast = try await bench.bluez.broadcast(Self.advert(1))
            let other = try await BlueZRadio.open(bench.bus.address)
            let first = try await other.adverts()
            #expect(await first.first(1) == [try Self.advert(1)])
            // BlueZ knows the device, and does not announce it again.
            let radio = try await BlueZRadio.open(bench.bus.address)
            #expect(await (try radio.adverts()).first(1) == [try Self.advert(1)])
            await broadcast.end()
            await radio.close()
            await other.close()
        }
    }

    @Test func itHearsTheNextAdvertOfADeviceAndTheSameOneAfterItsEnd() async throws {
        try await PretendedBench.with { bench in
            let radio = try await BlueZRadio.open(bench.bus.address)
            let heard = try await radio.adverts()
            let first = try await bench.bluez.broadcast(Self.advert(1))
            // The device's properties change, without an address among them.
            let second = try await bench.bluez.broadcast(Advert(serviceData: [2], address: Self.address))
            await second.end()
            await first.end()
            let third = try await bench.bluez.broadcast(Self.advert(1))
            let adverts = await heard.first(3)
            #expect(adverts.map(\.serviceData) == [[1], [2], [1]])
            #expect(adverts.map(\.address) == [Self.address, Self.address, Self.address])
            await third.end()
            await radio.close()
        }
    }

    @Test func itBroadcastsToOtherClientsAndToThePretendedRadio() async throws {
        try await PretendedBench.with { bench in
            let onBench = try await bench.bluez.adverts()
            let phone = try await BlueZRadio.open(bench.bus.address)
            let laptop = try await BlueZRadio.open(bench.bus.address)
            let onLaptop = try await laptop.adverts()
            let advert = try Advert(service: .google, serviceData: Array(0..<20))
            let broadcast = try await phone.broadcast(advert)
            #expect(await onBench.first(1) == [advert])
            let heard = await onLaptop.first(1).first
            #expect(heard?.service == .google && heard?.serviceData == advert.serviceData)
            await broadcast.end()
            // Five adverts at a time are the most; an ended one does not count.
            var broadcasts: [AdvertBroadcast] = []
            for byte in 0..<5 { broadcasts.append(try await phone.broadcast(Self.advert(UInt8(byte)))) }
            let error = await #expect(throws: RadioError.self) { try await phone.broadcast(Self.advert(9)) }
            #expect(error?.description.contains("Maximum advertisements reached") == true)
            for broadcast in broadcasts { await broadcast.end() }
            await phone.close()
            await laptop.close()
        }
    }

    @Test func theEndOfAReaderEndsTheScan() async throws {
        try await PretendedBench.with { bench in
            let radio = try await BlueZRadio.open(bench.bus.address)
            let reader = Task { [heard = try await radio.adverts()] in await heard.first(1) }
            let scanning = try await bench.gdbus(
                "/org/bluez/hci0", "org.freedesktop.DBus.Properties.Get", "org.bluez.Adapter1", "Discovering")
            #expect(scanning.text == "(<true>,)\n")
            reader.cancel()
            #expect(await reader.value == [])
            // A later call of the same connection comes after the scan's end.
            await (try radio.broadcast(Self.advert(1))).end()
            let ended = try await bench.gdbus(
                "/org/bluez/hci0", "org.freedesktop.DBus.Properties.Get", "org.bluez.Adapter1", "Discovering")
            #expect(ended.text == "(<false>,)\n")
            await radio.close()
        }
    }

    @Test func theAdaptersEndEndsTheStream() async throws {
        for condition in [PretendedBlueZ.AdapterCondition.off, .absent] {
            try await PretendedBench.with { bench in
                let radio = try await BlueZRadio.open(bench.bus.address)
                let heard = try await radio.adverts()
                bench.bluez.setAdapter(condition)
                #expect(await heard.first(1) == [])
                let error: RadioError = condition == .off ? .adapterOff("hci0") : .noAdapter
                await #expect(throws: error) { try await radio.adverts() }
                await #expect(throws: error) { try await radio.broadcast(Self.advert(1)) }
                bench.bluez.setAdapter(.on)
                let again = try await radio.adverts()
                let broadcast = try await bench.bluez.broadcast(Self.advert(1))
                #expect(await again.first(1) == [try Self.advert(1)])
                await broadcast.end()
                await radio.close()
            }
        }
    }

    @Test func theEndOfBlueZEndsTheStream() async throws {
        try await withBus { bus in
            let bluez = try await PretendedBlueZ.start(on: bus.address, generator: SeededGenerator(seed: 5))
            let radio = try await BlueZRadio.open(bus.address)
            let heard = try await radio.adverts()
            await bluez.stop()
            #expect(await heard.first(1) == [])
            await radio.close()
        }
    }

    @Test func eachMissingPartIsNamed() async throws {
        let nowhere = "unix:path=/nonexistent/bus"
        let noBus = await #expect(throws: RadioError.self) { try await BlueZRadio.open(nowhere) }
        guard case .noBus(nowhere, _) = noBus else { throw try #require(noBus) }
        try await withBus { bus in
            await #expect(throws: RadioError.noBluetoothService(address: bus.address)) {
                try await BlueZRadio.open(bus.address)
            }
        }
        try await PretendedBench.with(.absent) { bench in
            await #expect(throws: RadioError.noAdapter) { try await BlueZRadio.open(bench.bus.address) }
        }
        try await PretendedBench.with(.off) { bench in
            await #expect(throws: RadioError.adapterOff("hci0")) { try await BlueZRadio.open(bench.bus.address) }
        }
        try await PretendedBench.with { bench in
            await #expect(throws: RadioError.noAdapter) {
                try await BlueZRadio.open(bench.bus.address, adapter: "hci1")
            }
        }
    }

    @Test(
        "An error says what is wrong, what to do, and where to learn more",
        arguments: [
            (
                RadioError.noBus(address: "unix:path=/x", problem: "no such file"),
                "no message bus answers at unix:path=/x: no such file; start the system's D-Bus, or set "
                    + "DBUS_SYSTEM_BUS_ADDRESS to the address of a bus"
            ),
            (
                .noBluetoothService(address: "unix:path=/x"),
                "the message bus at unix:path=/x has no service org.bluez; install BlueZ and start its service `bluetooth`"
            ),
            (.noAdapter, "BlueZ has no Bluetooth adapter; plug one in, or use a simulated radio"),
            (
                .adapterOff("hci0"),
                "the Bluetooth adapter hci0 is off; switch it on, for example with `bluetoothctl power on`"
            ),
        ])
    func describes(error: RadioError, text: String) {
        #expect(error.description == text + "; `touchstone doctor --for bluetooth` says more")
    }

    @Test func theEnvironmentNamesTheBus() {
        #expect(BlueZRadio.address(in: [:]) == "unix:path=/var/run/dbus/system_bus_socket")
        #expect(BlueZRadio.address(in: ["DBUS_SYSTEM_BUS_ADDRESS": ""]) == BlueZRadio.usualAddress)
        #expect(BlueZRadio.address(in: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x"]) == "unix:path=/x")
    }
}
