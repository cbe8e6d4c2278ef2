public import Biometrics

/// The numbers of a gate that decide how long a row of failures at its first sensor gets.
public struct LockoutRules: Hashable, Sendable {
    /// Failures that end one prompt; nil when none do.
    public let attemptsPerPrompt: Int?
    /// When the sensor closes for a while.
    public let lockout: LockoutPolicy
    /// Failures in a row after which the device credential is due; nil when they never close the sensor for good.
    public let permanentAt: Int?
    /// Whether a sample that cannot be compared is a failure.
    public let badCaptureCounts: Bool

    /// The rules of a gate, with the user's patience.
    public init(_ gate: UserVerificationGate, patience: Int? = nil) {
        let policy = gate.policy
        attemptsPerPrompt = [policy.attemptsPerPrompt, patience].compactMap(\.self).min()
        lockout = gate.sensor?.lockoutPolicy ?? policy.lockout
        badCaptureCounts = policy.badCaptureCounts
        let strength = gate.sensor?.strengthClass ?? .class3
        let due = policy.strongAuthentication.compactMap { rule -> Int? in
            guard rule.sinceCredential == nil, rule.sinceUnlock == nil, rule.sinceBiometric == nil else { return nil }
            return rule.classes.isEmpty || rule.classes.contains(strength) ? rule.failures : nil
        }
        permanentAt = ([lockout.permanentAt].compactMap(\.self) + due).min()
    }

    /// What a failure leads to that makes the row so long.
    enum Effect {
        case none
        case timed
        case permanent
    }

    func effect(ofFailure count: Int) -> Effect {
        if count == permanentAt { return .permanent }
        return lockout.closesForAWhile(at: count) ? .timed : .none
    }

    /// Whether failures alone end every prompt; otherwise one can go on until it times out.
    var endEveryPrompt: Bool { attemptsPerPrompt != nil || permanentAt != nil || lockout.timedEvery != nil }

    /// How many rows of failures must be told apart: from none to the longest that still changes something.
    var distinctRows: Int { permanentAt ?? lockout.timedEvery ?? (lockout.timedAt.last ?? 0) + 1 }

    /// The row, among those, that does what one so long does.
    func row(_ failures: Int) -> Int {
        if failures < distinctRows { return failures }
        return lockout.timedEvery.map { failures % $0 } ?? distinctRows - 1
    }
}
