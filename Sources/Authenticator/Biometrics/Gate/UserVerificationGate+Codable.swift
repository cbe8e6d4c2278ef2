extension UserVerificationGate {
    /// The older format, with at most one sensor, whose counts stand beside it.
    private struct SingleSensor: Decodable {
        var sensor: BiometricSensor?
        let consecutiveFailures: Int
        let lockout: Lockout
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
            adopt(try SingleSensor(from: decoder))
        }
        requiredCredential = try values.decodeIfPresent(StrongAuthenticationReason.self, forKey: .requiredCredential)
        clocks = try values.decodeIfPresent(StrongAuthenticationClocks.self, forKey: .clocks)
        prompt = try values.decodeIfPresent(Prompt.self, forKey: .prompt)
        if let problem {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: problem))
        }
    }

    private mutating func adopt(_ old: SingleSensor) {
        isExhausted = old.lockout == .exhausted
        guard var sensor = old.sensor else { return }
        sensor.consecutiveFailures = old.consecutiveFailures
        sensor.imposedLockout = isExhausted ? .permanent : old.lockout
        sensors = [sensor]
    }

    private var problem: String? {
        for (index, sensor) in sensors.enumerated() {
            let failures = sensor.consecutiveFailures
            let limit = lockoutPolicy(ofSensor: index).permanentAt ?? .max
            let isConsistent = failures < limit || sensor.imposedLockout == .permanent
            guard (0...limit).contains(failures), isConsistent, sensor.imposedLockout != .exhausted else {
                return "\(failures) failures in a row contradict the lockout \(sensor.imposedLockout.label) "
                    + "and a limit of \(limit)"
            }
        }
        if Set(sensors.map(\.modality)).count < sensors.count { return "two sensors have the same modality" }
        if prompt?.isPossible(at: sensors) == false { return "the prompt's state is impossible" }
        if let credential = deviceCredential, credential.failedAttempts < 0 {
            return "\(credential.failedAttempts) wrong entries are impossible"
        }
        return nil
    }
}

extension Prompt {
    fileprivate func isPossible(at sensors: [BiometricSensor]) -> Bool {
        guard failures >= 0, credentialFailures >= 0, stage != .idle, (stage == .confirming) == (match != nil) else {
            return false
        }
        return match.map { sensors.indices.contains($0.sensor) } ?? true
    }
}
