/// How failed attempts in a row close one sensor, as data.
///
/// A policy is checked when it is made or decoded, so that every policy is valid.
public struct LockoutPolicy: Hashable, Sendable {
    /// Every how many failed attempts in a row the sensor closes for a while; `nil` never, or by ``timedAt``.
    public package(set) var timedEvery: Int?
    /// The counts of failed attempts in a row at which the sensor closes for a while, ascending.
    public package(set) var timedAt: [Int]
    /// For how long a timed lockout closes the sensor.
    public package(set) var timedDuration: Duration
    /// Whether the end of a timed lockout takes the count back, so that timed lockouts never add up to a permanent one.
    ///
    /// True for AOSP's virtual HALs; the Android framework keeps the count.
    public package(set) var expiryClearsCount: Bool
    /// Failed attempts in a row, over all prompts and apps, that close the sensor for good: 1 to 25, or `nil` never.
    ///
    /// The maximum of CTAP's uvRetries.
    public package(set) var permanentAt: Int?

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for numbers that make no sense.
    public init(
        timedEvery: Int? = nil, timedAt: [Int] = [], timedDuration: Duration = .seconds(30),
        expiryClearsCount: Bool = false, permanentAt: Int?
    ) throws(GatePolicyError) {
        self.init(
            unchecked: permanentAt, timedEvery: timedEvery, timedAt: timedAt, timedDuration: timedDuration,
            expiryClearsCount: expiryClearsCount)
        try validate()
    }

    /// Describes a policy without checking it: ``validate()`` does.
    package init(
        unchecked permanentAt: Int?, timedEvery: Int? = nil, timedAt: [Int] = [],
        timedDuration: Duration = .seconds(30), expiryClearsCount: Bool = false
    ) {
        self.permanentAt = permanentAt
        self.timedEvery = timedEvery
        self.timedAt = timedAt
        self.timedDuration = timedDuration
        self.expiryClearsCount = expiryClearsCount
    }

    /// Whether the sensor closes for a while when so many attempts in a row have failed; ``permanentAt`` comes first.
    public func closesForAWhile(at failures: Int) -> Bool {
        if let timedEvery { failures.isMultiple(of: timedEvery) } else { timedAt.contains(failures) }
    }

    /// Checks the numbers of a policy that was changed.
    package func validate() throws(GatePolicyError) {
        if let permanentAt, !GatePolicy.permanentLockoutRange.contains(permanentAt) {
            throw .permanentLockoutOutOfRange(permanentAt)
        }
        try GatePolicyError.require(timedEvery, atLeast: 1, "timedLockoutEvery")
        try GatePolicyError.require(timedAt.first, atLeast: 1, "timedLockoutAt")
        guard zip(timedAt, timedAt.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .notAscending(field: "timedLockoutAt")
        }
        guard timedEvery == nil || timedAt.isEmpty else {
            throw .contradiction("timedLockoutEvery", "timedLockoutAt")
        }
        if let permanentAt, let timed = timedEvery ?? timedAt.last, timed > permanentAt {
            throw .timedLockoutAfterPermanent(timed: timed, permanent: permanentAt)
        }
        try GatePolicyError.require(timedDuration, "timedLockoutDuration")
    }
}

extension LockoutPolicy {
    /// Closed for good at five: Touch ID and Face ID.
    public static let apple = LockoutPolicy(unchecked: 5)
    /// Android's framework for fingerprints: 30 s at 5, 10 and 15, for good at 20; the count outlives the timers.
    public static let androidFingerprint = LockoutPolicy(unchecked: 20, timedEvery: 5)
    /// Older Android frameworks for faces: 30 s at 3, 6 and 9, for good at 12.
    public static let androidFace = LockoutPolicy(unchecked: 12, timedEvery: 3)
    /// AOSP's virtual fingerprint HAL as it is configured by default: 10 s at 5; the end of them takes the count back.
    public static let virtualFingerprintHAL = LockoutPolicy(
        unchecked: 20, timedEvery: 5, timedDuration: .seconds(10), expiryClearsCount: true)
    /// AOSP's virtual face HAL as it is configured by default: 10 s at 3; the end of them takes the count back.
    public static let virtualFaceHAL = LockoutPolicy(
        unchecked: 5, timedEvery: 3, timedDuration: .seconds(10), expiryClearsCount: true)
    /// Windows Hello: ten attempts, then the PIN.
    public static let windowsHello = LockoutPolicy(unchecked: 10)
}

/// Encoded durations are whole milliseconds; a missing member takes the initializer's default.
extension LockoutPolicy: Codable {
    enum CodingKeys: String, CodingKey {
        case timedEvery = "timedLockoutEvery"
        case timedAt = "timedLockoutAt"
        case timedDuration = "timedLockoutMilliseconds"
        case expiryClearsCount = "timedLockoutClearsCount"
        case permanentAt = "permanentLockoutAt"
    }

    /// Decodes the value, and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        do {
            try self.init(
                timedEvery: values.decodeIfPresent(Int.self, forKey: .timedEvery),
                timedAt: values.decodeIfPresent([Int].self, forKey: .timedAt) ?? [],
                timedDuration: .milliseconds(values.decodeIfPresent(Int64.self, forKey: .timedDuration) ?? 30_000),
                expiryClearsCount: values.decodeIfPresent(Bool.self, forKey: .expiryClearsCount) ?? false,
                permanentAt: values.decodeIfPresent(Int.self, forKey: .permanentAt))
        } catch let error as GatePolicyError {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(timedEvery, forKey: .timedEvery)
        if !timedAt.isEmpty { try values.encode(timedAt, forKey: .timedAt) }
        try values.encode(timedDuration.wholeMilliseconds, forKey: .timedDuration)
        if expiryClearsCount { try values.encode(true, forKey: .expiryClearsCount) }
        try values.encodeIfPresent(permanentAt, forKey: .permanentAt)
    }
}
