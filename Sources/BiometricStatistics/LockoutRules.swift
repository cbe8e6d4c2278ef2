public import Biometrics

/// The numbers of a policy that decide how long a row of failures gets.
public struct LockoutRules: Hashable, Sendable {
    /// Failures that end one prompt; nil when none do.
    public let attemptsPerPrompt: Int?
    /// Every how many failures in a row the sensor closes for a while.
    public let timedEvery: Int?
    /// Failures in a row that close it for good.
    public let permanentAt: Int
    /// Whether a sample that cannot be compared is a failure.
    public let badCaptureCounts: Bool

    /// The rules of a policy, with a person's patience.
    public init(_ policy: GatePolicy, patience: Int? = nil) {
        attemptsPerPrompt = [policy.attemptsPerPrompt, patience].compactMap(\.self).min()
        timedEvery = policy.timedLockoutEvery
        permanentAt = policy.permanentLockoutAt
        badCaptureCounts = policy.badCaptureCounts
    }
}
