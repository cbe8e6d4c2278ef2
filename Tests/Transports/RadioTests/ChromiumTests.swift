import Foundation
import Radio
import TestSupport
import Testing

/// Chromium asks the pretended BlueZ for an adapter.
@Suite(.timeLimit(.minutes(20))) struct ChromiumTests {
    private struct Capabilities: Decodable {
        let hybridTransport: Bool
    }

    @Test(
        "A page in Chromium is told whether hybrid transport is available",
        arguments: [(PretendedBlueZ.AdapterCondition.on, true), (.off, true), (.absent, false)])
    func hasHybridTransport(adapter: PretendedBlueZ.AdapterCondition, expected: Bool) async throws {
        let scripts = try #require(Bundle.module.url(forResource: "Scripts", withExtension: nil))
        try await PretendedBench.with(adapter) { bench in
            let capabilities = try await Script.run(
                "capabilities", in: [scripts], ["bus": .text(bench.bus.address)], as: Capabilities.self)
            #expect(capabilities.hybridTransport == expected)
        }
    }

    private struct Signals: Decodable {
        let signals: [String]
    }

    @Test func theDialogForAPhoneDiscoversAnAdvert() async throws {
        let scripts = try #require(Bundle.module.url(forResource: "Scripts", withExtension: nil))
        try await PretendedBench.with { bench in
            let address = try #require(BluetoothAddress("C1:22:33:44:55:66"))
            let broadcast = try await bench.bluez.broadcast(Advert(serviceData: Array(0..<20), address: address))
            let signals = try await Script.run(
                "scan", in: [scripts, PackageRoot.url.appending(path: "browser/tests")],
                ["bus": .text(bench.bus.address)], as: Signals.self
            ).signals
            #expect(signals.contains { $0.contains("'Discovering': <true>") })
            #expect(signals.last?.contains("/org/bluez/hci0/dev_C1_22_33_44_55_66") == true)
            await broadcast.end()
        }
    }
}
