/// The whole state, a prompt that is up included; a state no gate can be in does not decode.
extension UserVerificationGate: Codable {
    private enum CodingKeys: String, CodingKey {
        case policy
        case sensor
        case deviceCredential
        case consecutiveFailures
        case lockout
        case prompt
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            policy: try values.decode(GatePolicy.self, forKey: .policy),
            sensor: try values.decodeIfPresent(BiometricSensor.self, forKey: .sensor),
            deviceCredential: try values.decodeIfPresent(DeviceCredential.self, forKey: .deviceCredential))
        consecutiveFailures = try values.decode(Int.self, forKey: .consecutiveFailures)
        imposedLockout = try values.decode(Lockout.self, forKey: .lockout)
        prompt = try values.decodeIfPresent(Prompt.self, forKey: .prompt)

        let isClosed = imposedLockout == .permanent || imposedLockout == .exhausted
        guard (0...policy.permanentLockoutAt).contains(consecutiveFailures),
            isClosed == (consecutiveFailures == policy.permanentLockoutAt)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .consecutiveFailures, in: values,
                debugDescription: "\(consecutiveFailures) failures in a row do not go with the lockout "
                    + "\(imposedLockout.label) and a limit of \(policy.permanentLockoutAt)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(policy, forKey: .policy)
        try values.encodeIfPresent(sensor, forKey: .sensor)
        try values.encodeIfPresent(deviceCredential, forKey: .deviceCredential)
        try values.encode(consecutiveFailures, forKey: .consecutiveFailures)
        try values.encode(imposedLockout, forKey: .lockout)
        try values.encodeIfPresent(prompt, forKey: .prompt)
    }
}
