/// The lockouts of the device credential after wrong entries in a row.
///
/// A policy is validated when created or decoded.
public struct CredentialLockoutPolicy: Hashable, Sendable {
    /// A delay after a wrong entry.
    public struct Delay: Hashable, Sendable {
        /// The number of wrong entries in a row that impose it.
        public package(set) var failures: Int
        /// The duration of the delay.
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

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for invalid numbers.
    public init(
        delays: [Delay], permanentAt: Int? = nil, permanentErases: Bool = false, powerCycleClears: Bool = false
    ) throws(GatePolicyError) {
        self.delays = delays
        self.permanentAt = permanentAt
        self.permanentErases = permanentErases
        self.powerCycleClears = powerCycleClears
        try validate()
    }

    /// No lockouts, to be changed and checked by ``validate()``.
    package init() {}

    /// Checks a changed policy.
    package func validate() throws(GatePolicyError) {
        try GatePolicyError.require(delays.first?.failures, atLeast: 1, "failures")
        try GatePolicyError.requireAscending(delays.map(\.failures), "delays")
        for delay in delays { try GatePolicyError.require(delay.delay, "delay") }
        try GatePolicyError.require(permanentAt, atLeast: (delays.last?.failures ?? 0) + 1, "permanentAt")
    }

    func delay(after failures: Int) -> Duration? {
        delays.last { $0.failures <= failures }?.delay
    }
}

extension CredentialLockoutPolicy: Codable, MemberwiseCodable {
    static let blank = CredentialLockoutPolicy()

    static let members: [Member<CredentialLockoutPolicy>] = [
        Member("delays", \.delays),
        Member("permanentAt", \.permanentAt),
        Member("permanentErases", \.permanentErases),
        Member("powerCycleClears", \.powerCycleClears),
    ]
}

extension CredentialLockoutPolicy.Delay: Codable, MemberwiseCodable {
    static let blank = Self(failures: 1, delay: .zero)

    static let members: [Member<Self>] = [
        Member("failures", \.failures, isRequired: true), Member(milliseconds: "milliseconds", \.delay),
    ]
}
