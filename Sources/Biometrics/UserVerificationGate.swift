/// The user-verification gate of a device: a sensor, a device credential, and the count of who failed how often.
///
/// A value without a clock: every input carries its time since the Unix epoch and returns a ``GateEvent`` that says
/// what changed. A prompt is started with ``begin(_:at:)`` and answered with ``present(_:at:)``. The same inputs on an
/// equal gate always give an equal gate; ``replay(_:)`` holds a log to that.
///
/// A clock that is set back lengthens the timed lockout in force and shortens none.
public struct UserVerificationGate: Equatable, Sendable {
    /// How failed attempts count.
    public let policy: GatePolicy
    /// The sensor, and who is enrolled; `nil` for a device that has none.
    public internal(set) var sensor: BiometricSensor?
    /// What unlocks the device; `nil` when none is set.
    public internal(set) var deviceCredential: DeviceCredential?
    /// Failed biometric attempts in a row, over all prompts.
    public internal(set) var consecutiveFailures = 0

    /// The last lockout that was imposed, which a timed one may have outlived; see ``lockout(at:)``.
    var imposedLockout = Lockout.none
    var prompt: Prompt?

    /// Sets up a gate that nobody has failed at yet.
    public init(policy: GatePolicy, sensor: BiometricSensor?, deviceCredential: DeviceCredential?) {
        self.policy = policy
        self.sensor = sensor
        self.deviceCredential = deviceCredential
    }
}

extension UserVerificationGate {
    /// Whether the device could verify a person by itself, once set up: getInfo's `uv` option is there at all.
    public var isSupported: Bool {
        policy.deviceCredentialFallback || sensor.map { $0.availability != .absent } ?? false
    }

    /// Whether somebody has set the device up to verify them: getInfo's `uv` option is true.
    ///
    /// A lockout changes nothing about it, nor does a sensor that is busy or broken at the moment.
    public var isConfigured: Bool {
        if policy.deviceCredentialFallback, deviceCredential != nil { return true }
        guard let sensor, !sensor.templates.isEmpty else { return false }
        return sensor.availability != .absent && sensor.availability != .disabledByPolicy
    }

    /// Where the prompt is.
    public var stage: GateStage {
        switch prompt?.stage {
        case nil: .idle
        case .sensing: .sensing
        case .deviceCredential: .deviceCredential
        }
    }

    /// When the prompt that is up will end by itself; `nil` without one.
    ///
    /// Any act that comes at this time or later finds the prompt timed out.
    public var promptDeadline: Duration? { prompt?.deadline }

    /// Whether the prompt that is up offers its way out.
    public var isFallbackOffered: Bool {
        guard let prompt, prompt.stage == .sensing, let offeredAfter = policy.fallbackOfferedAfter else { return false }
        return prompt.failures >= offeredAfter
    }

    /// The lockout in force at a moment.
    public func lockout(at now: Duration) -> Lockout {
        imposedLockout.remaining(at: now)
    }

    /// How many attempts are left: what getUVRetries reports (CTAP 2.3 §6.5.5.3).
    ///
    /// Without a lockout, the policy's permanent limit less the failures in a row. During one, 0; but where the device
    /// credential can stand in, at least 1, because the device can still verify its person. 0 after ``exhaust(at:)``.
    public func attemptsRemaining(at now: Duration) -> Int {
        let left = max(0, policy.permanentLockoutAt - consecutiveFailures)
        return switch lockout(at: now) {
        case .none: left
        case .timed, .permanent: policy.deviceCredentialFallback && deviceCredential != nil ? max(1, left) : 0
        case .exhausted: 0
        }
    }

    /// What keeps the sensor from verifying anybody at a moment.
    func obstacle(at now: Duration) -> SensorObstacle? {
        SensorObstacle(sensor: sensor, lockout: lockout(at: now))
    }

    /// Makes one change and writes down what it did.
    mutating func record(
        _ input: GateInput, at now: Duration, _ change: (inout UserVerificationGate) -> GateStep
    ) -> GateEvent {
        // A lockout that was seen to be over stays over, wherever the clock goes.
        imposedLockout = lockout(at: now)
        let stageBefore = stage
        let failuresBefore = consecutiveFailures
        let lockoutBefore = imposedLockout
        let step = change(&self)
        return GateEvent(
            at: now, input: input, step: step, modality: sensor?.modality, stageBefore: stageBefore,
            stageAfter: stage, failuresBefore: failuresBefore, failuresAfter: consecutiveFailures,
            lockoutBefore: lockoutBefore, lockoutAfter: lockout(at: now),
            counted: input != .exhaust && consecutiveFailures > failuresBefore)
    }
}
