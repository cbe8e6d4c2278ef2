/// An invalid number in a policy; a field is named by its property.
public enum GatePolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A limit below its minimum.
    case limitTooLow(field: String, value: Int, least: Int)
    /// A permanent lockout outside ``GatePolicy/permanentLockoutRange``.
    case permanentLockoutOutOfRange(Int)
    /// A timed lockout that the permanent one always precedes.
    case timedLockoutAfterPermanent(field: String, timed: Int, permanent: Int)
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
    public var description: String { sentence { $0 } }

    /// A sentence for the user, with the fields' names in the words of the document that holds them.
    package func sentence(naming name: (String) -> String) -> String {
        switch self {
        case .limitTooLow(let field, let value, let least): "\(name(field)) is \(value), but must be at least \(least)"
        case .permanentLockoutOutOfRange(let value):
            "\(name("permanentAt")) is \(value), but must lie between 1 and 25, as the maximum of uvRetries"
        case .timedLockoutAfterPermanent(let field, let timed, let permanent):
            "\(name(field)) is \(timed), but \(name("permanentAt")) is \(permanent) and takes effect first; "
                + "choose a smaller number, or raise \(name("permanentAt"))"
        case .durationOutOfRange(let field):
            "\(name(field)) must be positive, at most 366 days, and in whole milliseconds"
        case .fallbackNeverOffered(let after, let limit):
            "\(name("fallbackOfferedAfter")) is \(after), but a prompt ends after \(name("attemptsPerPrompt")), "
                + "which is \(limit)"
        case .notAscending(let field): "the numbers of \(name(field)) must ascend"
        case .contradiction(let one, let other): "\(name(one)) and \(name(other)) cannot both be given"
        case .emptyRule:
            "a rule needs a condition: \(name("sinceCredential")), \(name("sinceUnlock")), "
                + "\(name("sinceBiometric")) or failures"
        }
    }

    /// The fields it is about, the likeliest mistake first.
    package var fields: [String] {
        switch self {
        case .limitTooLow(let field, _, _), .durationOutOfRange(let field), .notAscending(let field): [field]
        case .permanentLockoutOutOfRange: ["permanentAt"]
        case .timedLockoutAfterPermanent(let field, _, _): [field, "permanentAt"]
        case .fallbackNeverOffered: ["fallbackOfferedAfter", "attemptsPerPrompt"]
        case .contradiction(let one, let other): [other, one]
        case .emptyRule: []
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

    static func requireAscending(_ numbers: [Int], _ field: String) throws(GatePolicyError) {
        try require(numbers.first, atLeast: 1, field)
        guard zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }) else { throw .notAscending(field: field) }
    }
}
