/// The user-verification gate of a device: its sensors, a device credential, and the counts of failed attempts.
///
/// A value without a clock: every input has its time since the Unix epoch and returns a ``GateEvent`` with the change.
/// ``begin(_:at:)`` starts a prompt and ``present(_:at:)`` answers it. The same inputs on an equal gate always give an
/// equal gate; ``replay(_:)`` checks a log for this.
///
/// A lockout of a sensor locks every sensor of its class or weaker; a match unlocks every sensor of its class or weaker.
/// Setting the clock back lengthens a timed lockout and shortens none.
///
/// The clocks of strong authentication start with ``start(at:)``, or else with the first input. Only a correct device
/// credential, a newly set one and a success at an unlock prompt restart them.
public struct UserVerificationGate: Equatable, Codable, Sendable {
    /// The policy.
    public let policy: GatePolicy
    /// The sensors with their templates, at most one per modality; the first one is the one apps see.
    public internal(set) var sensors: [BiometricSensor]
    /// The credential that unlocks the device; `nil` if none is set.
    public internal(set) var deviceCredential: DeviceCredential?
    /// The event that requires the device credential before any sensor verifies; `nil` for none.
    public internal(set) var requiredCredential: StrongAuthenticationReason?

    /// Whether all retries were used up by force; see ``exhaust(at:)``.
    var isExhausted = false
    /// `nil` until they start, and for a policy without rules.
    var clocks: StrongAuthenticationClocks?
    var prompt: Prompt?

    enum CodingKeys: String, CodingKey {
        case policy, sensors, deviceCredential, requiredCredential, isExhausted, clocks, prompt
    }

    /// Creates a gate without failed attempts.
    public init(policy: GatePolicy, sensors: [BiometricSensor], deviceCredential: DeviceCredential?) {
        self.policy = policy
        self.sensors = sensors
        self.deviceCredential = deviceCredential
    }

    /// Sets up a gate with at most one sensor.
    public init(policy: GatePolicy, sensor: BiometricSensor?, deviceCredential: DeviceCredential?) {
        self.init(policy: policy, sensors: sensor.map { [$0] } ?? [], deviceCredential: deviceCredential)
    }
}

extension UserVerificationGate {
    /// The first sensor, which apps see; `nil` for a device without sensors.
    public var sensor: BiometricSensor? { sensors.first }

    /// The sensor for a modality.
    public func sensor(for modality: BiometricModality) -> BiometricSensor? {
        sensors.first { $0.modality == modality }
    }

    /// The failed attempts in a row at the first sensor, over all prompts, after the last input.
    public var consecutiveFailures: Int { sensors.first?.consecutiveFailures ?? 0 }

    /// Whether the device can verify a user by itself after its setup: getInfo has the `uv` option.
    public var isSupported: Bool {
        policy.deviceCredentialFallback
            || sensors.contains { $0.strengthClass != .class1 && $0.availability != .absent }
    }

    /// Whether the device is set up to verify its user: getInfo's `uv` option is true.
    ///
    /// Independent of lockouts and of sensors that are busy, broken or out of reach.
    public var isConfigured: Bool {
        if policy.deviceCredentialFallback, deviceCredential != nil { return true }
        if policy.sensorsNeedCredential, deviceCredential == nil { return false }
        return sensors.contains { sensor in
            sensor.strengthClass != .class1 && !sensor.templates.isEmpty && sensor.availability != .absent
                && sensor.availability != .disabledByPolicy
        }
    }

    /// Whether passkeys can be neither made nor used, because they need a device credential and none is set.
    public var refusesPasskeys: Bool { policy.passkeysNeedCredential && deviceCredential == nil }

    /// The stage of the prompt.
    public var stage: GateStage { prompt?.stage ?? .idle }

    /// The time at which the open prompt times out; `nil` without one.
    ///
    /// At this time or later, any act finds the prompt timed out.
    public var promptDeadline: Duration? { prompt?.deadline }

    /// The options of the open prompt; `nil` without one.
    public var promptOptions: PromptOptions? { prompt?.options }

    /// Whether the open prompt offers the fallback.
    public var isFallbackOffered: Bool {
        guard let prompt, prompt.options.offersFallback, let offeredAfter = policy.fallbackOfferedAfter else {
            return false
        }
        switch prompt.stage {
        case .sensing, .paused, .stopped: return prompt.failures >= offeredAfter
        case .idle, .confirming, .challengePhrase, .deviceCredential: return false
        }
    }

    /// The sensors that take samples in the open prompt at a given time, in order.
    public func sensingModalities(at now: Duration) -> [BiometricModality] {
        guard let prompt, prompt.stage == .sensing else { return [] }
        return sensors.indices.filter { obstacle(ofSensor: $0, prompt.options, at: now) == nil }
            .map { sensors[$0].modality }
    }

    /// The binding generations of all sensors that may release keys; keys bound to another value are invalid.
    public var binding: BiometricBinding {
        BiometricBinding(
            generations: sensors.filter { $0.strengthClass == .class3 }.map {
                BiometricBinding.Generation(modality: $0.modality, generation: $0.bindingGeneration)
            })
    }

    mutating func record(
        _ input: GateInput, about sensor: Int? = nil, at now: Duration,
        _ change: (inout UserVerificationGate) -> GateStep
    ) -> GateEvent {
        settleClocks(at: now)
        let index = sensor ?? leadingSensor(at: now)
        let stageBefore = stage
        let failuresBefore = failures(ofSensor: index)
        let lockoutBefore = lockout(ofSensor: index, at: now)
        let hadCredential = deviceCredential != nil
        let step = change(&self)
        let failuresAfter = failures(ofSensor: index)
        return GateEvent(
            at: now, input: input, step: step, modality: index < sensors.count ? sensors[index].modality : nil,
            stageBefore: stageBefore, stageAfter: stage, failuresBefore: failuresBefore, failuresAfter: failuresAfter,
            lockoutBefore: lockoutBefore, lockoutAfter: lockout(ofSensor: index, at: now),
            counted: failuresAfter > failuresBefore,
            obstacle: step == .deviceCredentialRequired || step == .challengePhraseRequired
                ? obstacle(to: input, at: now) : nil,
            erasure: hadCredential && deviceCredential == nil && input != .removeDeviceCredential ? true : nil)
    }

    /// The obstacle at every sensor that a new prompt may use; `nil` for other inputs.
    private func obstacle(to input: GateInput, at now: Duration) -> GateFailure? {
        guard case .begin(let options) = input, options.allowsBiometrics else { return nil }
        return obstacle(options, at: now)
    }

    /// Starts the clocks of strong authentication when the device is first switched on; running clocks go on.
    public mutating func start(at now: Duration) {
        if clocks == nil, !policy.strongAuthentication.isEmpty { clocks = StrongAuthenticationClocks(startingAt: now) }
    }

    /// Removes expired lockouts, which stay expired if the clock is set back.
    private mutating func settleClocks(at now: Duration) {
        start(at: now)
        for index in sensors.indices {
            guard case .timed = sensors[index].imposedLockout,
                sensors[index].imposedLockout.remaining(at: now) == .none
            else { continue }
            sensors[index].imposedLockout = .none
            if lockoutPolicy(ofSensor: index).expiryClearsCount { sensors[index].consecutiveFailures = 0 }
        }
        deviceCredential?.settle(under: policy.credentialLockout, at: now)
    }
}

/// The binding of keys: the enrolled sets of all sensors of class 3 at one time.
public struct BiometricBinding: Hashable, Codable, Sendable {
    /// The generation of one sensor's enrolled set.
    public struct Generation: Hashable, Codable, Sendable {
        /// The sensor.
        public let modality: BiometricModality
        /// Its ``BiometricSensor/bindingGeneration``.
        public let generation: UInt64

        /// Describes the generation of one sensor.
        public init(modality: BiometricModality, generation: UInt64) {
            self.modality = modality
            self.generation = generation
        }
    }

    /// The generations of the sensors of class 3, in the order of the gate.
    public let generations: [Generation]

    /// Describes a binding.
    public init(generations: [Generation]) { self.generations = generations }
}
