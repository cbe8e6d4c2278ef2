/// The lockouts of the device credential after wrong entries in a row.
///
/// A policy is validated when created or decoded.
public struct CredentialLockoutPolicy: Hashable, Sendable {
    /// A delay after a wrong entry.
    public struct Delay: Hashable, Sendable {
        /// The number of wrong entries in a row that impose it.
        public package(set) var failures: Int
        /// The duration of the delay; zero ends the delays before it.
        public package(set) var delay: Duration

        /// Describes a delay.
        public init(failures: Int, delay: Duration) {
            self.failures = failures
            self.delay = delay
        }
    }

    /// The delays, ascending; every wrong entry after the last one imposes it again.
    public package(set) var delays: [Delay] = []
    /// The number of wrong entries in a row that disable the credential permanently; `nil` for none.
    public package(set) var permanentAt: Int?
    /// Whether a permanent lockout erases the templates and the credential instead of disabling the device.
    public package(set) var permanentErases = false
    /// Whether a power cycle ends a delay; false for a TPM and a Secure Enclave.
    public package(set) var powerCycleClears = false
    /// The time without a wrong entry after which one is forgiven, as by a TPM 2.0; `nil` for never.
    public package(set) var forgivesOneEvery: Duration?
    /// The wrong entries in a row since the start after which a prompt asks for the challenge phrase; `nil` for never.
    public package(set) var challengeAfter: Int?
    /// The wrong entries in a row since the start after which only a restart admits another; `nil` for never.
    public package(set) var restartAfter: Int?

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for invalid numbers.
    public init(
        delays: [Delay], permanentAt: Int? = nil, permanentErases: Bool = false, powerCycleClears: Bool = false,
        forgivesOneEvery: Duration? = nil, challengeAfter: Int? = nil, restartAfter: Int? = nil
    ) throws(GatePolicyError) {
        self.delays = delays
        self.permanentAt = permanentAt
        self.permanentErases = permanentErases
        self.powerCycleClears = powerCycleClears
        self.forgivesOneEvery = forgivesOneEvery
        self.challengeAfter = challengeAfter
        self.restartAfter = restartAfter
        try validate()
    }

    /// No lockouts, to be changed and checked by ``validate()``.
    package init() {}

    package func validate() throws(GatePolicyError) {
        try GatePolicyError.require(delays.first?.failures, atLeast: 1, "failures")
        try GatePolicyError.requireAscending(delays.map(\.failures), "delays")
        // No delay can only follow one.
        for (place, delay) in delays.enumerated() where place == 0 || delay.delay != .zero {
            try GatePolicyError.require(delay.delay, "delay")
        }
        try GatePolicyError.require(forgivesOneEvery, "forgivesOneEvery")
        try GatePolicyError.require(challengeAfter, atLeast: 1, "challengeAfter")
        try GatePolicyError.require(restartAfter, atLeast: (challengeAfter ?? 0) + 1, "restartAfter")
        try GatePolicyError.require(permanentAt, atLeast: (delays.last?.failures ?? 0) + 1, "permanentAt")
    }

    func delay(after failures: Int) -> Duration? {
        delays.last { $0.failures <= failures }.flatMap { $0.delay > .zero ? $0.delay : nil }
    }

    var reactsToPowerCycles: Bool { powerCycleClears || forgivesOneEvery != nil || restartAfter != nil }
}

extension CredentialLockoutPolicy: Codable, MemberwiseCodable {
    static let blank = CredentialLockoutPolicy()

    static let members: [StoredMember<CredentialLockoutPolicy>] = [
        StoredMember("delays", \.delays),
        StoredMember("permanentAt", \.permanentAt),
        StoredMember("permanentErases", \.permanentErases),
        StoredMember("powerCycleClears", \.powerCycleClears),
        StoredMember(milliseconds: "forgivesOneEveryMilliseconds", \.forgivesOneEvery),
        StoredMember("challengeAfter", \.challengeAfter),
        StoredMember("restartAfter", \.restartAfter),
    ]
}

extension CredentialLockoutPolicy.Delay: Codable, MemberwiseCodable {
    static let blank = Self(failures: 1, delay: .zero)

    static let members: [StoredMember<Self>] = [
        StoredMember("failures", \.failures, isRequired: true), StoredMember(milliseconds: "milliseconds", \.delay),
    ]
}
