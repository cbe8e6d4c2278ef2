public import Biometrics

/// The rules of a gate that end a row of failures at its first sensor.
public struct LockoutRules: Hashable, Sendable {
    /// The failures that end a prompt; nil for no limit.
    public let attemptsPerPrompt: Int?
    /// The sensor's lockout policy.
    public let lockout: LockoutPolicy
    /// The failures in a row after which the device credential is due; nil for no permanent lockout.
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
            // An app's prompt has no strong authentication where only the lock screen asks for it.
            guard strength == .class1 || policy.strongAuthenticationAt == .everyPrompt else { return nil }
            guard rule.sinceCredential == nil, rule.sinceUnlock == nil, rule.sinceBiometric == nil else { return nil }
            return rule.classes.isEmpty || rule.classes.contains(strength) ? rule.failures : nil
        }
        permanentAt = ([lockout.permanentAt].compactMap(\.self) + due).min()
    }

    enum Effect {
        case none
        case timed
        case permanent
    }

    func effect(ofFailure count: Int) -> Effect {
        if count == permanentAt { return .permanent }
        return lockout.imposesTimedLockout(at: count) ? .timed : .none
    }

    /// Whether failures end every prompt; otherwise one can continue until it times out.
    var endEveryPrompt: Bool { attemptsPerPrompt != nil || permanentAt != nil || lockout.timedEvery != nil }

    /// The number of row lengths with different effects, from 0 failures on.
    var distinctRows: Int { permanentAt ?? lockout.timedEvery ?? (lockout.timedAt.last ?? 0) + 1 }

    /// The row length, among ``distinctRows``, with the same effect.
    func row(_ failures: Int) -> Int {
        if failures < distinctRows { return failures }
        return lockout.timedEvery.map { failures % $0 } ?? distinctRows - 1
    }
}
