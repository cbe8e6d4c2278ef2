extension GatePolicy {
    /// The range of CTAP's maximum of uvRetries (CTAP 2.3 §6.5).
    public static let permanentLockoutRange = 1...25

    package func validate() throws(GatePolicyError) {
        try lockout.validate()
        try GatePolicyError.require(attemptsPerPrompt, atLeast: 1, "attemptsPerPrompt")
        try GatePolicyError.require(fallbackOfferedAfter, atLeast: 0, "fallbackOfferedAfter")
        try GatePolicyError.require(credentialAttemptsPerPrompt, atLeast: 1, "credentialAttemptsPerPrompt")
        try GatePolicyError.require(promptTimeout, "promptTimeout")
        if let offered = fallbackOfferedAfter, let limit = attemptsPerPrompt, offered > limit {
            throw .fallbackNeverOffered(after: offered, limit: limit)
        }
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
