internal import Biometrics
internal import DeviceHost
internal import DeviceProfiles
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator

/// A device in a list.
struct DeviceSummary: Codable, Sendable {
    let name: String
    let profile: String
    let title: String
    let platform: String
    let person: ControlledPerson.Habit
    let clock: ClockState
    /// The UDP port it listens on, if it does.
    let udpPort: Int?

    init(_ device: ManagedDevice) {
        name = device.name
        profile = device.profile.name
        title = device.profile.title
        platform = device.profile.platform.rawValue
        person = device.habit
        clock = ClockState(device.host.clock)
        udpPort = device.host.port
    }
}

/// A device's time.
struct ClockState: Codable, Sendable {
    enum Kind: String, Codable, CaseIterable {
        case real, simulated
    }

    let kind: Kind
    /// Seconds since the Unix epoch.
    let now: Double

    init(_ clock: DeviceClock) {
        kind = if case .simulated = clock { .simulated } else { .real }
        now = clock.now() / .seconds(1)
    }
}

/// How a device is.
struct DeviceState: Codable, Sendable {
    let status: DeviceStatus
    /// Sensor, device credential and lockouts; absent for a device without built-in user verification.
    let gate: GateState?
    let clock: ClockState
    /// What the person's samples follow from, drawn at random where the order gave no `seed`; absent without samples.
    let samplesSeed: UInt64?

    init(_ device: ManagedDevice) async {
        let now = device.host.clock.now()
        status = await device.host.status()
        gate = await device.host.device.authenticator.snapshot().gate.map { GateState($0, at: now) }
        clock = ClockState(device.host.clock)
        samplesSeed = device.samplesSeed
    }
}

/// How a device's user-verification gate is.
struct GateState: Codable, Sendable {
    /// Where the prompt is: `idle`, `sensing`, `confirming` or `deviceCredential`.
    let stage: String
    /// Seconds since the Unix epoch, while a prompt is up.
    let promptDeadline: Double?
    let isFallbackOffered: Bool
    /// Whether somebody has set the device up to verify them.
    let isConfigured: Bool
    let lockout: String
    /// Seconds since the Unix epoch.
    let lockedOutUntil: Double?
    let consecutiveFailures: Int
    let attemptsRemaining: Int
    /// The first is the one the lockout and the counts above are of.
    let sensors: [Sensor]
    /// Why the device credential must be entered before the first sensor verifies again; none while it need not.
    let credentialDue: StrongAuthenticationReason?
    let deviceCredential: Credential?
    let policy: Policy

    struct Sensor: Codable, Sendable {
        let modality: BiometricModality
        let strengthClass: Int
        let availability: SensorAvailability
        let templates: [String]
        let maxTemplates: Int
        /// Changes with every template that is enrolled, replaced or removed.
        let enrolmentGeneration: String
        /// Changes when the keys bound to the enrolled set die.
        let bindingGeneration: String
        let lockout: String
        let consecutiveFailures: Int
    }

    struct Credential: Codable, Sendable {
        let kind: DeviceCredential.Kind
        let failedAttempts: Int
    }

    struct Policy: Codable, Sendable {
        let attemptsPerPrompt: Int?
        let fallbackOfferedAfter: Int?
        let timedLockoutEvery: Int?
        let timedLockoutSeconds: Double
        let permanentLockoutAt: Int?
        let deviceCredentialFallback: Bool
        let promptTimeoutSeconds: Double
    }

    init(_ gate: UserVerificationGate, at now: Duration) {
        stage = "\(gate.stage)"
        promptDeadline = gate.promptDeadline.map { $0 / .seconds(1) }
        isFallbackOffered = gate.isFallbackOffered
        isConfigured = gate.isConfigured
        let lockout = gate.lockout(at: now)
        self.lockout = lockout.label
        lockedOutUntil = if case .timed(let until) = lockout { until / .seconds(1) } else { nil }
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
            timedLockoutEvery: gate.policy.timedLockoutEvery,
            timedLockoutSeconds: gate.policy.timedLockoutDuration / .seconds(1),
            permanentLockoutAt: gate.policy.permanentLockoutAt,
            deviceCredentialFallback: gate.policy.deviceCredentialFallback,
            promptTimeoutSeconds: gate.policy.promptTimeout / .seconds(1))
    }
}
