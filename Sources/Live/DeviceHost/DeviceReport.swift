package import PlatformErrors
package import SimulatedDevice
internal import VirtualAuthenticator

/// A device's current state, made in one place for every surface.
///
/// The control API encodes the whole report. The device's socket and `touchstone device … --json` encode its
/// ``status``, and `touchstone device inspect` shows members of it.
package struct DeviceReport: Codable, Sendable {
    package internal(set) var status: DeviceStatus
    /// The platform whose errors the device reports.
    package let platform: Platform
    /// The user-verification gate; nil for a device without built-in user verification.
    package let gate: GateReport?
    package let clock: ClockReport
    /// The seed of the user's samples, drawn at random when the device was started without one; nil without samples.
    package internal(set) var samplesSeed: UInt64?

    /// The report of a device without transports.
    package init(_ device: SimulatedDevice, clock: DeviceClock) async {
        let snapshot = await device.authenticator.snapshot()
        let now = clock.now()
        status = await DeviceStatus(device, snapshot, at: now)
        platform = device.platform
        gate = snapshot.gate.map { GateReport($0, at: now, on: clock) }
        self.clock = ClockReport(clock)
    }
}

/// A device's time.
package struct ClockReport: Codable, Sendable {
    package enum Kind: String, Codable, CaseIterable, Sendable {
        case real, simulated
    }

    package let kind: Kind
    /// Seconds since the Unix epoch, as the device shows them.
    package let now: Double

    package init(_ clock: DeviceClock) {
        kind = if case .simulated = clock { .simulated } else { .real }
        now = clock.shownTime() / .seconds(1)
    }
}
