import CTAP
import CTAPNFC
import Conformance
import DeviceProfiles
import ProfileFiles
import Testing

@testable import AuthenticatorSuite

/// The cases about requests that wait for the user, on a card with a button.
struct WaitingCardTests {
    /// A card's error.
    enum Habit: CaseIterable {
        case updatesEveryClient, ignoresCancel

        /// The case that notices it.
        var finding: String {
            switch self {
            case .updatesEveryClient: "nfc.nfcctapGetResponse.unannounced"
            case .ignoresCancel: "nfc.nfcctapGetResponse.cancel"
            }
        }

        func changed(_ command: [UInt8]) -> [UInt8] {
            var command = command
            switch (self, Array(command.prefix(3))) {
            case (.updatesEveryClient, [0x80, 0x10, 0x00]): command[2] = 0x80
            case (.ignoresCancel, [0x80, 0x11, 0x11]): command[2] = 0x00
            default: break
            }
            return command
        }
    }

    private struct ChangedCard: APDUChannel {
        let inner: any APDUChannel
        let habit: Habit?

        func transmit(_ apdu: [UInt8]) async throws(CTAPDeviceError) -> [UInt8] {
            try await inner.transmit(habit?.changed(apdu) ?? apdu)
        }
    }

    private static func results(_ habit: Habit?) async throws -> [String: CaseResult] {
        let text = try Authenticator.profiles.profile("security-key-complete").text
        let profile = try DeviceProfile(
            parsing: text.replacing("authenticator:\n", with: "authenticator:\n  nfc-presence: touch\n"),
            file: "security-key-complete.yaml")
        var link = try await AuthenticatorLink.simulated(profile, seed: 1)
        link.apdus = ChangedCard(inner: try #require(link.apdus), habit: habit)
        let bench = try await AuthenticatorBench.open(link, AuthenticatorBench.Settings())
        let results = try await Authenticator.results(on: bench, identifiers: Habit.allCases.map(\.finding))
        await bench.close()
        return results
    }

    @Test("A card with a button passes the cases about waiting")
    func unchanged() async throws {
        let results = try await Self.results(nil)
        #expect(results.count == 2)
        for result in results.values { #expect(result.verdict == .passed, "\(result.words) \(result.reason ?? "")") }
    }

    @Test("A card's error fails its own case only", arguments: Habit.allCases)
    func habitFails(habit: Habit) async throws {
        for (id, result) in try await Self.results(habit) {
            #expect(result.verdict == (id == habit.finding ? .failed : .passed), "\(result.words)")
        }
    }
}
