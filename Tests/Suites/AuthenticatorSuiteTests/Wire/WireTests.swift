import CTAP
import Conformance
import DeviceProfiles
import KeyBench
import ProfileFiles
import SecurityKeys
import SimulatedDevice
import TestSupport
import Testing
import WebAuthn

@testable import AuthenticatorSuite

/// Each authenticator has one change.
@Suite("One change on the wire")
struct WireTests {
    /// - Parameter identifiers: the cases, or beginnings of their identifiers; empty for all.
    static func results(_ change: WireChange, identifiers: [String] = []) async throws -> [CaseResult] {
        let profile = try Authenticator.profiles.profile("security-key-complete")
        let link = try await AuthenticatorLink.simulated(profile, seed: 1)
        guard let simulated = link.simulation?.device else { return [] }
        let memory = WireChange.Memory()
        func changed(_ inner: any CTAPDevice & PowerCyclable) -> ChangedDevice {
            ChangedDevice(inner: inner, device: simulated, change: change, memory: memory)
        }
        let device = changed(simulated.ctap(over: profile.directTransport))
        let reports = InProcessReportTransport(
            changed(simulated.ctap(over: .usb)), u2f: simulated.u2f(over: .usb), faults: simulated.transportFaults)
        var changedLink = link
        changedLink.device = device
        changedLink.powerCycle = { await device.powerCycle() }
        changedLink.reports = reports
        changedLink.close = {
            reports.disconnect()
            await link.close()
        }
        let bench = try await AuthenticatorBench.open(changedLink, AuthenticatorBench.Settings())
        let results = try await Authenticator.results(on: bench, identifiers: identifiers)
        await bench.close()
        return Array(results.values)
    }

    @Test(
        "A habit of older authenticators fails or warns in its own cases only",
        arguments: Ring.sample(WireChange.habits, 3))
    func habitFailsItsOwnCases(change: WireChange) async throws { try await Self.check(change) }

    @Test("A defect fails or warns in its own cases only", arguments: Ring.sample(WireChange.defects, 6))
    func defectFailsItsOwnCases(change: WireChange) async throws { try await Self.check(change) }

    private static func check(_ change: WireChange) async throws {
        let red = try await results(change).filter { [.failed, .warning].contains($0.verdict) }
        let strays = red.filter { !change.concerns($0.id) }.map(\.words).sorted()
        #expect(strays.isEmpty, "\(strays.count) strays:\n\(strays.joined(separator: "\n"))")
        for pattern in change.cases {
            #expect(red.contains { WireChange.matches($0.id, pattern) }, "\(pattern)")
        }
    }
}
