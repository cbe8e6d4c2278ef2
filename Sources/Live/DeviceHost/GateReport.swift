package import Biometrics

/// The state of a device's user-verification gate, a member of ``DeviceReport``.
package struct GateReport: Codable, Sendable {
    package let stage: GateStage
    /// The open prompt's deadline, in seconds since the Unix epoch.
    package let promptDeadline: Double?
    package let isFallbackOffered: Bool
    /// Whether the user has set up a way to be verified.
    package let isConfigured: Bool
    package let lockout: String
    /// The end of a timed lockout, in seconds since the Unix epoch.
    package let lockedOutUntil: Double?
    package let consecutiveFailures: Int
    package let attemptsRemaining: Int
    /// All sensors; the lockout and the counts above are the first one's.
    package let sensors: [Sensor]
    /// The reason why the device credential must be entered before the first sensor verifies; nil when it need not.
    package let credentialDue: StrongAuthenticationReason?
    package let deviceCredential: Credential?
    package let policy: Policy

    package struct Sensor: Codable, Sendable {
        package let modality: BiometricModality
        package let strengthClass: Int
        package let availability: SensorAvailability
        package let templates: [String]
        package let maxTemplates: Int
        /// Changes with every template that is enrolled, replaced or removed.
        package let enrolmentGeneration: String
        /// Changes when the keys bound to the enrolled set are invalidated.
        package let bindingGeneration: String
        package let lockout: String
        package let consecutiveFailures: Int
    }

    package struct Credential: Codable, Sendable {
        package let kind: DeviceCredential.Kind
        package let failedAttempts: Int
    }

    package struct Policy: Codable, Sendable {
        package let attemptsPerPrompt: Int?
        package let fallbackOfferedAfter: Int?
        package let timedLockoutEvery: Int?
        package let timedLockoutSeconds: Double
        package let permanentLockoutAt: Int?
        package let deviceCredentialFallback: Bool
        package let promptTimeoutSeconds: Double
    }

    /// - Parameter clock: shows the times.
    init(_ gate: UserVerificationGate, at now: Duration, on clock: DeviceClock) {
        stage = gate.stage
        promptDeadline = gate.promptDeadline.map { clock.shown($0) / .seconds(1) }
        isFallbackOffered = gate.isFallbackOffered
        isConfigured = gate.isConfigured
        let lockout = gate.lockout(at: now)
        self.lockout = lockout.label
        lockedOutUntil = if case .timed(let until) = lockout { clock.shown(until) / .seconds(1) } else { nil }
        consecutiveFailures = gate.consecutiveFailures
        attemptsRemaining = gate.attemptsRemaining(at: now)
        sensors = gate.sensors.map { sensor in
            Sensor(
                modality: sensor.modality, strengthClass: sensor.strengthClass.rawValue,
                availability: sensor.availability, templates: sensor.templates.map(\.name),
                maxTemplates: sensor.maxTemplates, enrolmentGeneration: String(sensor.enrolmentGeneration),
                bindingGeneration: String(sensor.bindingGeneration),
                lockout: gate.lockout(of: sensor.modality, at: now).label,
                consecutiveFailures: sensor.consecutiveFailures)
        }
        credentialDue = gate.sensor.flatMap { gate.strongAuthenticationDue(for: $0.modality, at: now) }
        deviceCredential = gate.deviceCredential.map { Credential(kind: $0.kind, failedAttempts: $0.failedAttempts) }
        policy = Policy(
            attemptsPerPrompt: gate.policy.attemptsPerPrompt, fallbackOfferedAfter: gate.policy.fallbackOfferedAfter,
            timedLockoutEvery: gate.policy.lockout.timedEvery,
            timedLockoutSeconds: gate.policy.lockout.timedDuration / .seconds(1),
            permanentLockoutAt: gate.policy.lockout.permanentAt,
            deviceCredentialFallback: gate.policy.deviceCredentialFallback,
            promptTimeoutSeconds: gate.policy.promptTimeout / .seconds(1))
    }
}
