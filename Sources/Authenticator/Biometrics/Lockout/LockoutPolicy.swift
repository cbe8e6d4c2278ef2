/// The lockouts of a sensor after failed attempts in a row.
///
/// A policy is validated when created or decoded.
public struct LockoutPolicy: Hashable, Sendable {
    /// The number of failed attempts in a row per timed lockout; `nil` for none, or for ``timedAt``.
    public package(set) var timedEvery: Int?
    /// The counts of failed attempts in a row that impose a timed lockout, ascending.
    public package(set) var timedAt: [Int]
    /// The duration of a timed lockout.
    public package(set) var timedDuration: Duration
    /// Whether the end of a timed lockout clears the count, so that timed lockouts never add up to a permanent one.
    ///
    /// True for AOSP's virtual HALs; the Android framework keeps the count.
    public package(set) var expiryClearsCount: Bool
    /// The failed attempts in a row, over all prompts and apps, that lock the sensor permanently: 1 to 25; `nil` for
    /// never.
    ///
    /// This is the maximum of CTAP's uvRetries.
    public package(set) var permanentAt: Int?

    /// Describes a policy.
    ///
    /// - Throws: ``GatePolicyError`` for invalid numbers.
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

    /// Whether a number of failed attempts in a row imposes a timed lockout; ``permanentAt`` takes precedence.
    public func closesForAWhile(at failures: Int) -> Bool {
        if let timedEvery { failures.isMultiple(of: timedEvery) } else { timedAt.contains(failures) }
    }

    /// Checks a changed policy.
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
    /// Locked permanently at five: Touch ID and Face ID.
    public static let apple = LockoutPolicy(unchecked: 5)
    /// Android's framework for fingerprints: 30 s at 5, 10 and 15, permanently at 20; the count outlives the timers.
    public static let androidFingerprint = LockoutPolicy(unchecked: 20, timedEvery: 5)
    /// Older Android frameworks for faces: 30 s at 3, 6 and 9, permanently at 12.
    public static let androidFace = LockoutPolicy(unchecked: 12, timedEvery: 3)
    /// AOSP's virtual fingerprint HAL in its default configuration: 10 s at 5, then the count restarts.
    public static let virtualFingerprintHAL = LockoutPolicy(
        unchecked: 20, timedEvery: 5, timedDuration: .seconds(10), expiryClearsCount: true)
    /// AOSP's virtual face HAL in its default configuration: 10 s at 3, then the count restarts.
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
