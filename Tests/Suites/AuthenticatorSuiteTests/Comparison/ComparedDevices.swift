import AuthenticatorSuite
import COSE
import CTAP
import DeviceProfiles
import Faults
import Foundation
import KnownKeys
import ProfileFiles
import SimulatedDevice
import TestSupport
import VirtualAuthenticator
import WebAuthn

/// Simulated devices on a stopped clock, with a user who agrees to everything.
enum ComparedDevices {
    static let profiles = ProfileLibrary(directory: PackageRoot.url.appending(path: "profiles").path)

    /// A device whose answers its seed determines.
    static func device(_ profile: String, seed: UInt64 = 1, faults: [String] = []) async throws -> SimulatedDevice {
        let clock = SimulatedClock()
        let device = try SimulatedDevice(
            profile: try profiles.profile(profile), time: clock, random: SeededRandomSource(seed: seed),
            user: ControlledUser(habit: .auto, waitUntil: { clock.advance(to: $0) }), signing: .deterministic)
        for fault in faults { try await device.arm(try Fault(parsing: fault)) }
        return device
    }

    /// A device's answers to the safe profile.
    static func answers(of device: any CTAPDevice, touching: Bool = true) async throws -> DeviceAnswers {
        try await DeviceAnswers.collect(from: device, touching: touching, now: { .zero })
    }

    static func compare(
        _ one: SimulatedDevice, _ other: SimulatedDevice, touching: Bool = true
    ) async throws -> DeviceComparison {
        DeviceComparison([
            ("one", try await answers(of: one.ctap(over: .usb), touching: touching)),
            ("other", try await answers(of: other.ctap(over: .usb), touching: touching)),
        ])
    }
}

extension DeviceComparison {
    /// The rows that differ apart from state.
    var different: [String: [String]] {
        Dictionary(uniqueKeysWithValues: rows.filter { $0.verdict == .different }.map { ($0.name, $0.values) })
    }
}
