internal import Biometrics

extension DeviceStatus {
    /// A biometric sensor.
    package struct Sensor: Hashable, Sendable, Codable {
        /// What it looks at, such as `face`.
        package var modality: String
        /// Whether it can be used, such as `present`.
        package var availability: String
        /// The names of the templates enrolled at it.
        package var enrolled: [String]
        /// The lockout's label.
        package var lockout: String
        /// Seconds until a timed lockout ends.
        package var lockoutSecondsLeft: Double?
        /// How many samples in a row it did not know.
        package var failedAttempts: Int
        /// Why it verifies nobody before the device credential is entered; nil when it does.
        package var credentialDue: String?
    }

    /// What unlocks the device.
    package struct DeviceCredential: Hashable, Sendable, Codable {
        /// What a person types or draws, such as `passcode`.
        package var kind: String
        /// Why it has to be entered before a sensor verifies anybody; nil when it has not.
        package var due: String?
        /// Wrong entries in a row.
        package var wrongEntries: Int
        /// Seconds until it can be entered again; nil when it can be now.
        package var delaySecondsLeft: Double?
        /// Whether it is never accepted again, until another is set.
        package var isDisabled: Bool
    }
}

extension DeviceStatus.Sensor {
    init(_ sensor: BiometricSensor, in gate: UserVerificationGate, at now: Duration) {
        let lockout = gate.lockout(of: sensor.modality, at: now)
        self.init(
            modality: sensor.modality.rawValue, availability: sensor.availability.rawValue,
            enrolled: sensor.templates.map(\.name), lockout: lockout.label,
            failedAttempts: sensor.consecutiveFailures,
            credentialDue: gate.strongAuthenticationDue(for: sensor.modality, at: now)?.rawValue)
        if case .timed(let until) = lockout { lockoutSecondsLeft = (until - now) / .seconds(1) }
    }
}

extension DeviceStatus.DeviceCredential {
    /// - Parameter due: why a sensor wants it, the first sensor first.
    init(_ credential: Biometrics.DeviceCredential, due: String?, at now: Duration) {
        self.init(
            kind: credential.kind.rawValue, due: due, wrongEntries: credential.failedAttempts,
            isDisabled: credential.isDisabled)
        if let until = credential.lockedUntil, until > now { delaySecondsLeft = (until - now) / .seconds(1) }
    }
}
