import Radio
import Testing

/// BlueZ's own client looks at the pretended BlueZ.
@Suite(.timeLimit(.minutes(10))) struct BluetoothctlTests {
    @Test func itShowsTheAdapter() async throws {
        try await PretendedBench.with { bench in
            let text = try await ForeignProgram.bluetoothctl(
                bench.bus, [("", "Agent registered"), ("show", "Roles: peripheral")])
            for line in [
                "Controller 00:00:5E:00:53:01", "Name: bench", "Powered: yes", "Discoverable: no", "Discovering: no",
                "Roles: central", "SupportedInstances: 0x05",
            ] {
                #expect(text.contains(line), "\(line)")
            }
        }
    }

    @Test func itSeesNoAdapterThatIsAbsent() async throws {
        try await PretendedBench.with(.absent) { bench in
            let text = try await ForeignProgram.bluetoothctl(
                bench.bus, [("", "Agent registered"), ("show", "No default controller available")])
            #expect(!text.contains("Controller"))
        }
    }

    @Test func itDiscoversAnAdvertWithItsServiceData() async throws {
        try await PretendedBench.with { bench in
            let address = try #require(BluetoothAddress("C1:22:33:44:55:66"))
            let advert = try Advert(serviceData: Array(0x41..<0x55), address: address, signalStrength: -61)
            let broadcast = try await bench.bluez.broadcast(advert)
            let text = try await ForeignProgram.bluetoothctl(
                bench.bus,
                [
                    ("", "Agent registered"), ("scan on", "Device C1:22:33:44:55:66"),
                    ("devices", "Device C1:22:33:44:55:66"), ("info C1:22:33:44:55:66", "ABCDEFGHIJKLMNOP"),
                ])
            for line in ["Discovery started", "RSSI: -61", "ServiceData Key: 0000fff9-0000-1000-8000-00805f9b34fb"] {
                #expect(text.contains(line), "\(line)")
            }
            await broadcast.end()
        }
    }

    @Test func itSwitchesTheAdapterOn() async throws {
        try await PretendedBench.with(.off) { bench in
            let text = try await ForeignProgram.bluetoothctl(
                bench.bus,
                [
                    ("", "Agent registered"), ("scan on", "Failed to start discovery: org.bluez.Error.NotReady"),
                    ("power on", "Changing power on succeeded"), ("scan on", "Discovery started"),
                ])
            #expect(text.contains("Powered: yes"))
            #expect(bench.bluez.adapter == .on)
        }
    }

    @Test func itSeesALateAdapter() async throws {
        try await PretendedBench.with(.absent) { bench in
            let client = try ForeignProgram.start(
                ForeignProgram.find("bluetoothctl"), on: bench.bus, takesInput: true)
            _ = try await client.read(until: "Agent registered")
            bench.bluez.setAdapter(.off)
            _ = try await client.read(until: "Controller 00:00:5E:00:53:01 bench")
            bench.bluez.setAdapter(.on)
            _ = try await client.read(until: "Powered: yes")
            bench.bluez.setAdapter(.absent)
            let text = try await client.read(until: "Controller 00:00:5E:00:53:01 bench")
            #expect(text.contains("DEL"))
            await client.stop()
        }
    }

    @Test func itsAdvertIsOnTheAirForOthers() async throws {
        try await PretendedBench.with { bench in
            let heard = try await bench.bluez.adverts()
            let client = try ForeignProgram.start(
                ForeignProgram.find("bluetoothctl"), on: bench.bus, takesInput: true)
            _ = try await client.read(until: "Agent registered")
            for line in ["menu advertise", "service 0xfff9 0x01 0x02 0xff", "back", "advertise on"] {
                client.write(line + "\n")
            }
            #expect(await heard.first(1) == [try Advert(serviceData: [1, 2, 255])])
            _ = try await client.read(until: "Advertising object registered")
            await client.stop()
        }
    }
}
