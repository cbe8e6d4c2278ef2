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
        arguments: [(PretendedBlueZ.AdapterCondition.on, true), (.absent, false)])
    func hasHybridTransport(adapter: PretendedBlueZ.AdapterCondition, expected: Bool) async throws {
        let scripts = try #require(Bundle.module.url(forResource: "Scripts", withExtension: nil))
        try await PretendedBench.with(adapter) { bench in
            let capabilities = try await Script.run(
                "capabilities", in: [scripts], ["bus": .text(bench.bus.address)], as: Capabilities.self)
            #expect(capabilities.hybridTransport == expected)
        }
    }
}
