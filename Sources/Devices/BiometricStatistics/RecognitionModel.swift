/// How often a sensor errs, and how the days of its people go.
///
/// Errors that come independently of each other hardly ever lock a genuine person out: with one rejection in ten, five
/// in a row come once in a hundred thousand times. Those seen in the field come from days on which a finger is wet or
/// cut; a model with bad days has such days, and keeps each of them up for some prompts.
public struct RecognitionModel: Hashable, Sendable, Codable {
    /// The sensor's error rates for a genuine user on one kind of day.
    public struct Day: Hashable, Sendable, Codable {
        /// The share of their samples that is compared and rejected (FRR by attempt; ISO/IEC 19795-1 calls it the false
        /// non-match rate).
        public var falseRejectRate: Double
        /// The share of their samples that cannot be compared at all.
        public var failureToAcquireRate: Double
        /// How long one sample takes, drawn evenly: up to a minute, and not always no time at all.
        public var latency: ClosedRange<Duration>

        /// Describes a kind of day.
        public init(
            falseRejectRate: Double, failureToAcquireRate: Double = 0,
            latency: ClosedRange<Duration> = .milliseconds(400) ... .milliseconds(400)
        ) {
            self.falseRejectRate = falseRejectRate
            self.failureToAcquireRate = failureToAcquireRate
            self.latency = latency
        }
    }

    /// Days on which the sensor performs worse for its user.
    public struct BadDays: Hashable, Sendable, Codable {
        /// The rates of such a day.
        public var day: Day
        /// The share of all prompts that fall on one, above 0 and below 1.
        public var share: Double
        /// How many prompts one lasts on average, 1 or more.
        public var length: Double

        /// Describes bad days.
        public init(_ day: Day, share: Double, length: Double) {
            self.day = day
            self.share = share
            self.length = length
        }
    }

    /// The share of a stranger's samples that matches (FAR by attempt).
    public var falseAcceptRate: Double
    /// The rates of an ordinary day.
    public var goodDay: Day
    /// The other days; nil if every day is the same.
    public var badDays: BadDays?

    /// Describes a sensor and its people.
    ///
    /// - Throws: ``RecognitionModelError`` for numbers that make no sense.
    public init(falseAcceptRate: Double, goodDay: Day, badDays: BadDays? = nil) throws(RecognitionModelError) {
        self.falseAcceptRate = falseAcceptRate
        self.goodDay = goodDay
        self.badDays = badDays
        try validate()
    }

    /// Bad days as people ask for them.
    public struct BadDayRates: Hashable, Sendable {
        /// How many prompts one lasts on average, unless said otherwise.
        public static let usualLength = 20.0

        let share: Double
        let falseRejectRate: Double
        let failureToAcquireRate: Double?
        let length: Double

        /// - Parameters:
        ///   - failureToAcquireRate: nil for that of other days.
        ///   - length: nil for the usual one.
        public init(share: Double, falseRejectRate: Double, failureToAcquireRate: Double?, length: Double?) {
            self.share = share
            self.falseRejectRate = falseRejectRate
            self.failureToAcquireRate = failureToAcquireRate
            self.length = length ?? Self.usualLength
        }
    }

    /// Describes a sensor and its people by their rates alone.
    ///
    /// - Throws: ``RecognitionModelError`` for numbers that make no sense.
    public init(
        falseAcceptRate: Double, falseRejectRate: Double, failureToAcquireRate: Double, badDays: BadDayRates?
    ) throws(RecognitionModelError) {
        try self.init(
            falseAcceptRate: falseAcceptRate,
            goodDay: Day(falseRejectRate: falseRejectRate, failureToAcquireRate: failureToAcquireRate),
            badDays: badDays.map { rates in
                BadDays(
                    Day(
                        falseRejectRate: rates.falseRejectRate,
                        failureToAcquireRate: rates.failureToAcquireRate ?? failureToAcquireRate),
                    share: rates.share, length: rates.length)
            })
    }

    /// The chance that the next prompt falls on a bad day when this one did not.
    var chanceOfBadDay: Double { badDays.map { $0.share / (1 - $0.share) / $0.length } ?? 0 }

    /// The chance that the next prompt falls on a good day when this one did not.
    var chanceOfRecovery: Double { badDays.map { 1 / $0.length } ?? 1 }

    private func validate() throws(RecognitionModelError) {
        try Self.require(falseAcceptRate, "the false accept rate")
        try Self.require(goodDay)
        guard let badDays else { return }
        try Self.require(badDays.day)
        guard badDays.share > 0, badDays.share < 1 else { throw .shareOutOfRange(badDays.share) }
        guard badDays.length >= 1, badDays.length.isFinite else { throw .lengthTooShort(badDays.length) }
        // A bad day must begin at most once a prompt.
        guard chanceOfBadDay <= 1 else { throw .tooManyBadDays(share: badDays.share, length: badDays.length) }
    }

    private static func require(_ day: Day) throws(RecognitionModelError) {
        try require(day.falseRejectRate, "the false reject rate")
        try require(day.failureToAcquireRate, "the failure-to-acquire rate")
        // With no sample that can be compared, no prompt would ever end.
        guard day.failureToAcquireRate < 1 else { throw .nothingAcquired }
        // Where no time passes, no prompt would ever time out.
        guard day.latency.lowerBound >= .zero, day.latency.upperBound > .zero, day.latency.upperBound <= .seconds(60)
        else {
            throw .latencyOutOfRange
        }
    }

    private static func require(_ rate: Double, _ name: String) throws(RecognitionModelError) {
        guard (0...1).contains(rate) else { throw .rateOutOfRange(name, rate) }
    }
}

/// A number in a model that makes no sense.
public enum RecognitionModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A rate that is no share.
    case rateOutOfRange(String, Double)
    /// A sensor that never acquires a sample.
    case nothingAcquired
    /// Samples that never take any time, or more than a minute.
    case latencyOutOfRange
    /// A share of bad days that is not between 0 and 1.
    case shareOutOfRange(Double)
    /// Bad days shorter than a prompt.
    case lengthTooShort(Double)
    /// Bad days so short that there cannot be so many.
    case tooManyBadDays(share: Double, length: Double)

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .rateOutOfRange(let name, let rate): "\(name) is \(rate), but must lie between 0 and 1"
        case .nothingAcquired: "the failure-to-acquire rate must be below 1"
        case .latencyOutOfRange: "a sample takes more than 0 and at most 60 s"
        case .shareOutOfRange(let share):
            "the share of bad days is \(share), but must lie between 0 and 1; where every day is bad, that is the ordinary rate"
        case .lengthTooShort(let length): "a bad day lasts \(length) prompts, but must last 1 or more"
        case .tooManyBadDays(let share, let length):
            "bad days of \(length) prompts cannot make up \(share) of all prompts; let them last longer"
        }
    }
}
