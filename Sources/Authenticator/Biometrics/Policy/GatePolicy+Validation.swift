extension GatePolicy {
    /// The range of CTAP's maximum of uvRetries (CTAP 2.3 §6.5).
    public static let permanentLockoutRange = 1...25

    /// Checks a changed policy.
    package func validate() throws(GatePolicyError) {
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
    /// The whole milliseconds of a valid duration.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}

/// An invalid number in a policy.
public enum GatePolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A limit below its minimum.
    case limitTooLow(field: String, value: Int, least: Int)
    /// A permanent lockout outside ``GatePolicy/permanentLockoutRange``.
    case permanentLockoutOutOfRange(Int)
    /// A timed lockout that the permanent one always precedes.
    case timedLockoutAfterPermanent(timed: Int, permanent: Int)
    /// A duration that is not positive, longer than 366 days, or not in whole milliseconds.
    case durationOutOfRange(field: String)
    /// A fallback that is offered only after the end of the prompt.
    case fallbackNeverOffered(after: Int, limit: Int)
    /// A list that does not ascend.
    case notAscending(field: String)
    /// Two fields that exclude each other.
    case contradiction(String, String)
    /// A rule for strong authentication without any condition.
    case emptyRule

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .limitTooLow(let field, let value, let least): "\(field) is \(value), but must be at least \(least)"
        case .permanentLockoutOutOfRange(let value):
            "permanentLockoutAt is \(value), but must lie between 1 and 25, as the maximum of uvRetries"
        case .timedLockoutAfterPermanent(let timed, let permanent):
            "timedLockoutEvery is \(timed), but permanentLockoutAt is \(permanent) and always comes first"
        case .durationOutOfRange(let field):
            "\(field) must be positive, at most 366 days, and in whole milliseconds"
        case .fallbackNeverOffered(let after, let limit):
            "fallbackOfferedAfter is \(after), but a prompt ends after attemptsPerPrompt, which is \(limit)"
        case .notAscending(let field): "the numbers of \(field) must grow"
        case .contradiction(let one, let other): "\(one) and \(other) cannot both be given"
        case .emptyRule:
            "a rule needs a condition: sinceCredential, sinceUnlock, sinceBiometric or failures"
        }
    }

    private static let longestDuration = Duration.seconds(366 * 86_400)

    static func require(_ limit: Int?, atLeast least: Int, _ field: String) throws(GatePolicyError) {
        if let limit, limit < least { throw .limitTooLow(field: field, value: limit, least: least) }
    }

    static func require(_ duration: Duration?, _ field: String) throws(GatePolicyError) {
        guard let duration else { return }
        // The conversion may overflow outside this range.
        guard duration > .zero, duration <= longestDuration, .milliseconds(duration.wholeMilliseconds) == duration
        else { throw .durationOutOfRange(field: field) }
    }

    func decodingError(at path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: description, underlyingError: self))
    }
}
