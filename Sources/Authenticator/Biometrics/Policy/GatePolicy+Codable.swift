/// Encoded durations are whole milliseconds; a missing member takes the initializer's default.
extension GatePolicy: Codable {
    private enum CodingKeys: String, CodingKey {
        case attemptsPerPrompt
        case fallbackOfferedAfter
        case deviceCredentialFallback
        case credentialAttemptsPerPrompt
        case promptTimeoutMilliseconds
        case badCaptureCounts
        case timeoutCounts
        case invalidationRule
        case confirmation
        case requiresAttention
        case powerButton
        case strongAuthentication
        case credentialLockout
        case sensorsNeedCredential
        case powerCycleRequiresCredential
        case powerCycleClearsLockout
    }

    /// Decodes the value, and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func flag(_ key: CodingKeys) throws -> Bool {
            try values.decodeIfPresent(Bool.self, forKey: key) ?? false
        }
        do {
            try self.init(
                attemptsPerPrompt: values.decodeIfPresent(Int.self, forKey: .attemptsPerPrompt),
                fallbackOfferedAfter: values.decodeIfPresent(Int.self, forKey: .fallbackOfferedAfter),
                lockout: LockoutPolicy(from: decoder),
                deviceCredentialFallback: flag(.deviceCredentialFallback),
                credentialAttemptsPerPrompt: values.decodeIfPresent(Int.self, forKey: .credentialAttemptsPerPrompt),
                promptTimeout: .milliseconds(
                    values.decodeIfPresent(Int64.self, forKey: .promptTimeoutMilliseconds) ?? 30_000),
                badCaptureCounts: flag(.badCaptureCounts),
                timeoutCounts: flag(.timeoutCounts),
                invalidationRule: values.decode(InvalidationRule.self, forKey: .invalidationRule),
                confirmation: values.decodeIfPresent(ConfirmationRule.self, forKey: .confirmation) ?? .never,
                requiresAttention: flag(.requiresAttention),
                powerButton: values.decodeIfPresent(PowerButtonRule.self, forKey: .powerButton) ?? .systemCancelled,
                strongAuthentication: values.decodeIfPresent(
                    [StrongAuthenticationRule].self, forKey: .strongAuthentication) ?? [],
                credentialLockout: values.decodeIfPresent(CredentialLockoutPolicy.self, forKey: .credentialLockout),
                sensorsNeedCredential: flag(.sensorsNeedCredential),
                powerCycleRequiresCredential: flag(.powerCycleRequiresCredential),
                powerCycleClearsLockout: flag(.powerCycleClearsLockout))
        } catch let error as GatePolicyError {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        try lockout.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(attemptsPerPrompt, forKey: .attemptsPerPrompt)
        try values.encodeIfPresent(fallbackOfferedAfter, forKey: .fallbackOfferedAfter)
        try values.encode(deviceCredentialFallback, forKey: .deviceCredentialFallback)
        try values.encodeIfPresent(credentialAttemptsPerPrompt, forKey: .credentialAttemptsPerPrompt)
        try values.encode(promptTimeout.wholeMilliseconds, forKey: .promptTimeoutMilliseconds)
        try values.encode(badCaptureCounts, forKey: .badCaptureCounts)
        try values.encode(timeoutCounts, forKey: .timeoutCounts)
        try values.encode(invalidationRule, forKey: .invalidationRule)
        if confirmation != .never { try values.encode(confirmation, forKey: .confirmation) }
        if requiresAttention { try values.encode(true, forKey: .requiresAttention) }
        if powerButton != .systemCancelled { try values.encode(powerButton, forKey: .powerButton) }
        if !strongAuthentication.isEmpty { try values.encode(strongAuthentication, forKey: .strongAuthentication) }
        try values.encodeIfPresent(credentialLockout, forKey: .credentialLockout)
        if sensorsNeedCredential { try values.encode(true, forKey: .sensorsNeedCredential) }
        if powerCycleRequiresCredential { try values.encode(true, forKey: .powerCycleRequiresCredential) }
        if powerCycleClearsLockout { try values.encode(true, forKey: .powerCycleClearsLockout) }
    }
}
