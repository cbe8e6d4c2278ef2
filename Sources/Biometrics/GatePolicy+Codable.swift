/// As data, spans of time are whole milliseconds, and what is left out takes the initializer's default.
extension GatePolicy: Codable {
    private enum CodingKeys: String, CodingKey {
        case attemptsPerPrompt
        case fallbackOfferedAfter
        case timedLockoutEvery
        case timedLockoutMilliseconds
        case permanentLockoutAt
        case deviceCredentialFallback
        case credentialAttemptsPerPrompt
        case promptTimeoutMilliseconds
        case badCaptureCounts
        case timeoutCounts
        case invalidationRule
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func flag(_ key: CodingKeys) throws -> Bool {
            try values.decodeIfPresent(Bool.self, forKey: key) ?? false
        }
        func duration(_ key: CodingKeys) throws -> Duration {
            .milliseconds(try values.decodeIfPresent(Int64.self, forKey: key) ?? 30_000)
        }
        do {
            try self.init(
                attemptsPerPrompt: values.decodeIfPresent(Int.self, forKey: .attemptsPerPrompt),
                fallbackOfferedAfter: values.decodeIfPresent(Int.self, forKey: .fallbackOfferedAfter),
                timedLockoutEvery: values.decodeIfPresent(Int.self, forKey: .timedLockoutEvery),
                timedLockoutDuration: duration(.timedLockoutMilliseconds),
                permanentLockoutAt: values.decode(Int.self, forKey: .permanentLockoutAt),
                deviceCredentialFallback: flag(.deviceCredentialFallback),
                credentialAttemptsPerPrompt: values.decodeIfPresent(Int.self, forKey: .credentialAttemptsPerPrompt),
                promptTimeout: duration(.promptTimeoutMilliseconds),
                badCaptureCounts: flag(.badCaptureCounts),
                timeoutCounts: flag(.timeoutCounts),
                invalidationRule: values.decode(InvalidationRule.self, forKey: .invalidationRule))
        } catch let error as GatePolicyError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(attemptsPerPrompt, forKey: .attemptsPerPrompt)
        try values.encodeIfPresent(fallbackOfferedAfter, forKey: .fallbackOfferedAfter)
        try values.encodeIfPresent(timedLockoutEvery, forKey: .timedLockoutEvery)
        try values.encode(timedLockoutDuration.wholeMilliseconds, forKey: .timedLockoutMilliseconds)
        try values.encode(permanentLockoutAt, forKey: .permanentLockoutAt)
        try values.encode(deviceCredentialFallback, forKey: .deviceCredentialFallback)
        try values.encodeIfPresent(credentialAttemptsPerPrompt, forKey: .credentialAttemptsPerPrompt)
        try values.encode(promptTimeout.wholeMilliseconds, forKey: .promptTimeoutMilliseconds)
        try values.encode(badCaptureCounts, forKey: .badCaptureCounts)
        try values.encode(timeoutCounts, forKey: .timeoutCounts)
        try values.encode(invalidationRule, forKey: .invalidationRule)
    }
}
