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
    public package(set) var delays: [Delay]
    /// The number of wrong entries in a row that disable the credential permanently; `nil` for none.
    public package(set) var permanentAt: Int?
    /// Whether a permanent lockout erases the templates and the credential instead of disabling the device.
    public package(set) var permanentErases: Bool
    /// Whether a power cycle ends a delay; false for a TPM and a Secure Enclave.
    public package(set) var powerCycleClears: Bool

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for invalid numbers.
    public init(
        delays: [Delay], permanentAt: Int? = nil, permanentErases: Bool = false, powerCycleClears: Bool = false
    ) throws(GatePolicyError) {
        self.init(
            unchecked: delays, permanentAt: permanentAt, permanentErases: permanentErases,
            powerCycleClears: powerCycleClears)
        try validate()
    }

    /// Checks a changed policy.
    package func validate() throws(GatePolicyError) {
        try GatePolicyError.require(delays.first?.failures, atLeast: 1, "failures")
        guard zip(delays, delays.dropFirst()).allSatisfy({ $0.failures < $1.failures }) else {
            throw .notAscending(field: "delays")
        }
        for delay in delays { try GatePolicyError.require(delay.delay, "delay") }
        try GatePolicyError.require(permanentAt, atLeast: (delays.last?.failures ?? 0) + 1, "permanentAt")
    }

    /// Describes a policy without checking it: ``validate()`` does.
    package init(
        unchecked delays: [Delay] = [], permanentAt: Int? = nil, permanentErases: Bool = false,
        powerCycleClears: Bool = false
    ) {
        self.delays = delays
        self.permanentAt = permanentAt
        self.permanentErases = permanentErases
        self.powerCycleClears = powerCycleClears
    }

    func delay(after failures: Int) -> Duration? {
        delays.last { $0.failures <= failures }?.delay
    }
}

extension CredentialLockoutPolicy {
    /// An iPhone's: 1, 5, 15 and 60 minutes after the sixth to ninth wrong passcode, disabled at the tenth.
    public static let apple = CredentialLockoutPolicy(
        unchecked: [
            Delay(failures: 6, delay: .seconds(60)), Delay(failures: 7, delay: .seconds(300)),
            Delay(failures: 8, delay: .seconds(900)), Delay(failures: 9, delay: .seconds(3600)),
        ], permanentAt: 10)

    /// A TPM's anti-hammering as Windows sets it up: ten minutes for each wrong PIN from the 32nd on.
    public static let windowsTPM = CredentialLockoutPolicy(
        unchecked: [Delay(failures: 32, delay: .seconds(600))], permanentAt: nil)
}

/// Encoded durations are whole milliseconds; a missing member takes the initializer's default.
extension CredentialLockoutPolicy: Codable {
    private enum CodingKeys: String, CodingKey {
        case delays
        case permanentAt
        case permanentErases
        case powerCycleClears
    }

    /// Decodes the value, and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        do {
            try self.init(
                delays: values.decodeIfPresent([Delay].self, forKey: .delays) ?? [],
                permanentAt: values.decodeIfPresent(Int.self, forKey: .permanentAt),
                permanentErases: values.decodeIfPresent(Bool.self, forKey: .permanentErases) ?? false,
                powerCycleClears: values.decodeIfPresent(Bool.self, forKey: .powerCycleClears) ?? false)
        } catch let error as GatePolicyError {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(delays, forKey: .delays)
        try values.encodeIfPresent(permanentAt, forKey: .permanentAt)
        if permanentErases { try values.encode(true, forKey: .permanentErases) }
        if powerCycleClears { try values.encode(true, forKey: .powerCycleClears) }
    }
}

extension CredentialLockoutPolicy.Delay: Codable {
    private enum CodingKeys: String, CodingKey {
        case failures
        case delay = "milliseconds"
    }

    /// Decodes the value, and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            failures: try values.decode(Int.self, forKey: .failures),
            delay: .milliseconds(try values.decode(Int64.self, forKey: .delay)))
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(failures, forKey: .failures)
        try values.encode(delay.wholeMilliseconds, forKey: .delay)
    }
}
