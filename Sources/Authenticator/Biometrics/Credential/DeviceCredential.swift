/// The secret that unlocks the device and is the fallback for its biometrics.
public struct DeviceCredential: Equatable, Sendable {
    /// The kind of a device credential.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// A passcode, as on iOS and macOS.
        case passcode
        /// A PIN.
        case pin
        /// A pattern, as on Android.
        case pattern
        /// A password.
        case password
    }

    /// The kind.
    public internal(set) var kind: Kind
    /// Wrong entries in a row, in prompts and on the unlock screen together.
    public internal(set) var failedAttempts: Int
    /// The end of the delay after wrong entries; `nil` for none.
    public internal(set) var lockedUntil: Duration?
    /// Whether it is disabled until another is set.
    public internal(set) var isDisabled = false
    /// Wrong entries in a row since the device was switched on.
    public internal(set) var failuresSinceStart = 0
    /// Whether the user has typed the challenge phrase since the last wrong entry.
    var hasMetChallenge = false
    /// The time from which the next wrong entry is forgiven; `nil` for none.
    var forgivesFrom: Duration?

    /// Describes a device credential.
    public init(kind: Kind, failedAttempts: Int = 0) {
        self.kind = kind
        self.failedAttempts = failedAttempts
    }

    func obstacle(under policy: CredentialLockoutPolicy?, at now: Duration) -> GateFailure? {
        if isDisabled { return .credentialLockedOutPermanently }
        if let lockedUntil, now < lockedUntil { return .credentialLockedOut(until: lockedUntil) }
        return failuresSinceStart >= policy?.restartAfter ?? .max ? .credentialNeedsRestart : nil
    }

    func needsChallenge(under policy: CredentialLockoutPolicy?) -> Bool {
        !hasMetChallenge && failuresSinceStart >= policy?.challengeAfter ?? .max
    }

    mutating func noteSuccess() {
        failedAttempts = 0
        failuresSinceStart = 0
        forgivesFrom = nil
    }

    mutating func noteFailure(under policy: CredentialLockoutPolicy?, at now: Duration) {
        failedAttempts = failedAttempts.saturatingSuccessor
        failuresSinceStart = failuresSinceStart.saturatingSuccessor
        hasMetChallenge = false
        guard let policy else { return }
        if policy.forgivesOneEvery != nil { forgivesFrom = now }
        if let end = policy.permanentAt, failedAttempts >= end {
            isDisabled = true
        } else {
            lockedUntil = policy.delay(after: failedAttempts).map { now.later(by: $0) }
        }
    }

    /// Ends an expired delay, and forgives the wrong entries whose time has passed.
    mutating func settle(under policy: CredentialLockoutPolicy?, at now: Duration) {
        if let lockedUntil, now >= lockedUntil { self.lockedUntil = nil }
        guard let span = policy?.forgivesOneEvery, var from = forgivesFrom else { return }
        while failedAttempts > 0, now >= from.later(by: span) {
            failedAttempts -= 1
            from = from.later(by: span)
        }
        forgivesFrom = failedAttempts > 0 ? from : nil
    }

    mutating func restart(under policy: CredentialLockoutPolicy, at now: Duration) {
        failuresSinceStart = 0
        hasMetChallenge = false
        if policy.powerCycleClears { lockedUntil = nil }
        guard forgivesFrom != nil else { return }
        // A TPM forgives after continuous operation.
        forgivesFrom = now
        if lockedUntil != nil { lockedUntil = policy.delay(after: failedAttempts).map { now.later(by: $0) } }
    }
}

extension DeviceCredential: Codable, MemberwiseCodable {
    static let blank = DeviceCredential(kind: .pin)

    static let members: [StoredMember<DeviceCredential>] = [
        StoredMember("kind", \.kind, isRequired: true),
        StoredMember("failedAttempts", \.failedAttempts, isRequired: true),
        StoredMember("lockedUntil", \.lockedUntil),
        StoredMember("isDisabled", \.isDisabled),
        StoredMember("failuresSinceStart", \.failuresSinceStart),
        StoredMember("hasMetChallenge", \.hasMetChallenge),
        StoredMember("forgivesFrom", \.forgivesFrom),
    ]
}
