/// The complete state, including an open prompt; an impossible state does not decode.
extension UserVerificationGate: Codable {
    private enum CodingKeys: String, CodingKey {
        case policy
        case sensors
        case deviceCredential
        case requiredCredential
        case isExhausted
        case clocks
        case prompt
        // The older format, with at most one sensor.
        case sensor
        case consecutiveFailures
        case lockout
    }

    /// Decodes the value, and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            policy: try values.decode(GatePolicy.self, forKey: .policy), sensors: [],
            deviceCredential: try values.decodeIfPresent(DeviceCredential.self, forKey: .deviceCredential))
        if let sensors = try values.decodeIfPresent([BiometricSensor].self, forKey: .sensors) {
            self.sensors = sensors
            isExhausted = try values.decodeIfPresent(Bool.self, forKey: .isExhausted) ?? false
        } else {
            try decodeSingleSensor(values)
        }
        requiredCredential = try values.decodeIfPresent(StrongAuthenticationReason.self, forKey: .requiredCredential)
        clocks = try values.decodeIfPresent(StrongAuthenticationClocks.self, forKey: .clocks)
        prompt = try values.decodeIfPresent(Prompt.self, forKey: .prompt)
        for index in sensors.indices { try check(sensors[index], lockoutPolicy(ofSensor: index), values) }
        guard Set(sensors.map(\.modality)).count == sensors.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .sensors, in: values, debugDescription: "two sensors have the same modality")
        }
        guard prompt?.isPossible(at: sensors) != false else {
            throw DecodingError.dataCorruptedError(
                forKey: .prompt, in: values, debugDescription: "the prompt's state is impossible")
        }
        if let credential = deviceCredential, credential.failedAttempts < 0 {
            throw DecodingError.dataCorruptedError(
                forKey: .deviceCredential, in: values,
                debugDescription: "\(credential.failedAttempts) wrong entries are impossible")
        }
    }

    private mutating func decodeSingleSensor(_ values: KeyedDecodingContainer<CodingKeys>) throws {
        let failures = try values.decode(Int.self, forKey: .consecutiveFailures)
        let lockout = try values.decode(Lockout.self, forKey: .lockout)
        isExhausted = lockout == .exhausted
        guard var sensor = try values.decodeIfPresent(BiometricSensor.self, forKey: .sensor) else { return }
        sensor.consecutiveFailures = failures
        sensor.imposedLockout = isExhausted ? .permanent : lockout
        sensors = [sensor]
    }

    private func check(
        _ sensor: BiometricSensor, _ policy: LockoutPolicy, _ values: KeyedDecodingContainer<CodingKeys>
    ) throws {
        let failures = sensor.consecutiveFailures
        let limit = policy.permanentAt ?? .max
        let isConsistent = failures < limit || sensor.imposedLockout == .permanent
        guard (0...limit).contains(failures), isConsistent, sensor.imposedLockout != .exhausted else {
            throw DecodingError.dataCorruptedError(
                forKey: .sensors, in: values,
                debugDescription: "\(failures) failures in a row contradict the lockout "
                    + "\(sensor.imposedLockout.label) and a limit of \(limit)")
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(policy, forKey: .policy)
        try values.encode(sensors, forKey: .sensors)
        try values.encodeIfPresent(deviceCredential, forKey: .deviceCredential)
        try values.encodeIfPresent(requiredCredential, forKey: .requiredCredential)
        if isExhausted { try values.encode(true, forKey: .isExhausted) }
        try values.encodeIfPresent(clocks, forKey: .clocks)
        try values.encodeIfPresent(prompt, forKey: .prompt)
    }
}

extension Prompt {
    /// Whether a prompt at these sensors can reach this state.
    fileprivate func isPossible(at sensors: [BiometricSensor]) -> Bool {
        guard failures >= 0, credentialFailures >= 0, (stage == .confirming) == (match != nil) else { return false }
        return match.map { sensors.indices.contains($0.sensor) } ?? true
    }
}
