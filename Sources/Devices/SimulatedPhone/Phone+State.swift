// Its cases are those of a phone's state and acts.
@_exported public import Biometrics
internal import Causes
internal import DeviceProfiles
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import Wording

/// The state of a phone.
extension Phone {
    /// Whether the screen is locked.
    public var isLocked: Bool { device.lifeState.isLocked }

    /// Whether the screen was unlocked since the last start; true for a phone without a passcode.
    public var hasBeenUnlocked: Bool { device.lifeState.hasBeenUnlocked }

    /// Whether the network is on.
    public var isOnline: Bool { device.lifeState.isOnline }

    /// Whether another phone has replaced this one; see ``Phone/takeOver(from:)``.
    public var isReplaced: Bool { device.lifeState.isReplaced }

    /// The app in the foreground; nil while the screen is locked.
    public var foregroundApp: String? { device.lifeState.foregroundApp }

    /// The lockout of the first sensor after failed attempts.
    public var lockout: Lockout { lockout(of: nil) }

    /// The lockout of a sensor after failed attempts; `none` for a sensor that the phone does not have.
    ///
    /// - Parameter modality: the kind of the sensor; nil for the first sensor.
    public func lockout(of modality: BiometricModality?) -> Lockout {
        let now = clock.now()
        return gate.flatMap { gate in
            (modality ?? gate.sensor?.modality).map { gate.lockout(of: $0, at: now) }
        } ?? .none
    }

    /// The names of the enrolled fingers and faces.
    public var enrolled: [String] { gate?.sensors.flatMap { $0.templates.map(\.name) } ?? [] }

    /// The kinds of sensors.
    public var sensors: [BiometricModality] { gate?.sensors.map(\.modality) ?? [] }

    /// Whether a passcode is set.
    public var hasPasscode: Bool { gate?.deviceCredential != nil }

    /// The armed faults by name, each with the number of answers that it still changes.
    public var faults: [String] { state { await $0.armedFaults } }

    /// The phone's events, oldest first, as one line each.
    ///
    /// A line has the time since the phone was switched on, the event, and the errors that the app receives.
    public var events: [String] {
        device.eventLines(since: start)
    }

    var gate: UserVerificationGate? { state { await $0.authenticator.gate } }

    /// Reads the device's state.
    private func state<Value: Sendable>(_ read: @escaping @Sendable (SimulatedDevice) async -> Value) -> Value {
        executor.result { [device] in await read(device) }
    }
}

extension SimulatedDevice {
    /// The device's events, oldest first, as one line each.
    func eventLines(since start: Duration) -> [String] {
        let vocabulary = profile.platformErrors
        return log.all.map { event in
            let told = EventDescription(event, in: vocabulary)
            let errors = told.platformErrors?.filter { $0.kind == .platform }.map(\.text) ?? []
            return "\(Wording.span(event.at - start)): \(told.text)"
                + (errors.isEmpty ? "" : " → " + errors.joined(separator: ", "))
        }
    }
}
