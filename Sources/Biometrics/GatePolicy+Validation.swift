extension GatePolicy {
    /// The maximum of CTAP's uvRetries lies in this range (CTAP 2.3 §6.5).
    public static let permanentLockoutRange = 1...25

    private static let longestDuration = Duration.seconds(366 * 86_400)

    func validate() throws(GatePolicyError) {
        guard Self.permanentLockoutRange.contains(permanentLockoutAt) else {
            throw .permanentLockoutOutOfRange(permanentLockoutAt)
        }
        try Self.require(attemptsPerPrompt, atLeast: 1, "attemptsPerPrompt")
        try Self.require(fallbackOfferedAfter, atLeast: 0, "fallbackOfferedAfter")
        try Self.require(timedLockoutEvery, atLeast: 1, "timedLockoutEvery")
        try Self.require(credentialAttemptsPerPrompt, atLeast: 1, "credentialAttemptsPerPrompt")
        if let timedLockoutEvery, timedLockoutEvery > permanentLockoutAt {
            throw .timedLockoutAfterPermanent(timed: timedLockoutEvery, permanent: permanentLockoutAt)
        }
        try Self.require(timedLockoutDuration, "timedLockoutDuration")
        try Self.require(promptTimeout, "promptTimeout")
    }

    private static func require(_ limit: Int?, atLeast least: Int, _ field: String) throws(GatePolicyError) {
        if let limit, limit < least { throw .limitTooLow(field: field, value: limit, least: least) }
    }

    private static func require(_ duration: Duration, _ field: String) throws(GatePolicyError) {
        // Checked before it is converted: the conversion may overflow outside this range.
        guard duration > .zero, duration <= longestDuration, .milliseconds(duration.wholeMilliseconds) == duration
        else { throw .durationOutOfRange(field: field) }
    }
}

extension Duration {
    /// The whole milliseconds in a duration of ordinary length.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}

/// A number in a policy that makes no sense.
public enum GatePolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A limit that nothing could reach.
    case limitTooLow(field: String, value: Int, least: Int)
    /// A permanent lockout outside ``GatePolicy/permanentLockoutRange``.
    case permanentLockoutOutOfRange(Int)
    /// A timed lockout that the permanent one would always precede.
    case timedLockoutAfterPermanent(timed: Int, permanent: Int)
    /// A span of time that is not positive, longer than 366 days, or not in whole milliseconds.
    case durationOutOfRange(field: String)

    public var description: String {
        switch self {
        case .limitTooLow(let field, let value, let least): "\(field) is \(value), but must be at least \(least)"
        case .permanentLockoutOutOfRange(let value):
            "permanentLockoutAt is \(value), but must lie between 1 and 25, as the maximum of uvRetries"
        case .timedLockoutAfterPermanent(let timed, let permanent):
            "timedLockoutEvery is \(timed), but permanentLockoutAt is \(permanent) and would always come first"
        case .durationOutOfRange(let field):
            "\(field) must be positive, at most 366 days, and in whole milliseconds"
        }
    }
}
