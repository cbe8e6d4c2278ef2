/// The lockouts of a sensor after failed attempts in a row.
///
/// A policy is validated when created or decoded.
public struct LockoutPolicy: Hashable, Sendable {
    /// The number of failed attempts in a row per timed lockout; `nil` for none, or for ``timedAt``.
    public package(set) var timedEvery: Int?
    /// The counts of failed attempts in a row that impose a timed lockout, ascending.
    public package(set) var timedAt: [Int] = []
    /// The duration of a timed lockout.
    public package(set) var timedDuration = Duration.seconds(30)
    /// Whether the end of a timed lockout clears the count, so that timed lockouts never add up to a permanent one.
    ///
    /// True for AOSP's virtual HALs; the Android framework keeps the count.
    public package(set) var expiryClearsCount = false
    /// The failed attempts in a row, over all prompts and apps, that lock the sensor permanently; `nil` for never.
    ///
    /// 1 to 25: the maximum of CTAP's uvRetries.
    public package(set) var permanentAt: Int?

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for invalid numbers.
    public init(
        timedEvery: Int? = nil, timedAt: [Int] = [], timedDuration: Duration = .seconds(30),
        expiryClearsCount: Bool = false, permanentAt: Int?
    ) throws(GatePolicyError) {
        (self.timedEvery, self.timedAt, self.timedDuration) = (timedEvery, timedAt, timedDuration)
        (self.expiryClearsCount, self.permanentAt) = (expiryClearsCount, permanentAt)
        try validate()
    }

    /// No lockouts, to be changed and checked by ``validate()``.
    package init() {}

    /// Whether a number of failed attempts in a row imposes a timed lockout; ``permanentAt`` takes precedence.
    public func imposesTimedLockout(at failures: Int) -> Bool {
        if let timedEvery { failures.isMultiple(of: timedEvery) } else { timedAt.contains(failures) }
    }

    package func validate() throws(GatePolicyError) {
        if let permanentAt, !GatePolicy.permanentLockoutRange.contains(permanentAt) {
            throw .permanentLockoutOutOfRange(permanentAt)
        }
        try GatePolicyError.require(timedEvery, atLeast: 1, "timedEvery")
        try GatePolicyError.requireAscending(timedAt, "timedAt")
        guard timedEvery == nil || timedAt.isEmpty else { throw .contradiction("timedEvery", "timedAt") }
        if let permanentAt, let timed = timedEvery ?? timedAt.last, timed > permanentAt {
            throw .timedLockoutAfterPermanent(
                field: timedEvery == nil ? "timedAt" : "timedEvery", timed: timed, permanent: permanentAt)
        }
        try GatePolicyError.require(timedDuration, "timedDuration")
    }
}

extension LockoutPolicy: Codable, MemberwiseCodable {
    static let blank = LockoutPolicy()

    static let members: [StoredMember<LockoutPolicy>] = [
        StoredMember("timedLockoutEvery", \.timedEvery),
        StoredMember("timedLockoutAt", \.timedAt),
        StoredMember(milliseconds: "timedLockoutMilliseconds", \.timedDuration),
        StoredMember("timedLockoutClearsCount", \.expiryClearsCount),
        StoredMember("permanentLockoutAt", \.permanentAt),
    ]
}
