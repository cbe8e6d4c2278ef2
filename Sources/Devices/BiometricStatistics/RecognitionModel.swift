/// A model of a sensor's errors, with good and bad days.
///
/// Independent errors hardly ever lock the genuine user out: with one rejection in ten, five in a row occur once in a
/// hundred thousand times. Lockouts in the field come from bad days, on which a finger is wet or cut for several prompts.
public struct RecognitionModel: Hashable, Sendable, Codable {
    /// The sensor's error rates for a genuine user on one kind of day.
    public struct Day: Hashable, Sendable, Codable {
        /// The share of compared samples that is rejected (FRR by attempt; ISO/IEC 19795-1: false non-match rate).
        public var falseRejectRate: Double
        /// The share of samples that cannot be compared.
        public var failureToAcquireRate: Double
        /// The duration of a sample, drawn evenly; the upper bound is above zero and at most a minute.
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
        /// The share of prompts on bad days, above 0 and below 1.
        public var share: Double
        /// The average number of prompts in a bad day, 1 or more.
        public var length: Double

        /// Describes bad days.
        public init(_ day: Day, share: Double, length: Double) {
            self.day = day
            self.share = share
            self.length = length
        }
    }

    /// The share of an impostor's samples that matches (FAR by attempt).
    public var falseAcceptRate: Double
    /// The rates of an ordinary day.
    public var goodDay: Day
    /// The bad days; nil for none.
    public var badDays: BadDays?

    /// Creates a model.
    ///
    /// - Throws: ``RecognitionModelError`` for invalid numbers.
    public init(falseAcceptRate: Double, goodDay: Day, badDays: BadDays? = nil) throws(RecognitionModelError) {
        self.falseAcceptRate = falseAcceptRate
        self.goodDay = goodDay
        self.badDays = badDays
        try validate()
    }

    /// Bad days by their rates.
    public struct BadDayRates: Hashable, Sendable {
        /// The default average number of prompts in a bad day.
        public static let usualLength = 20.0

        let share: Double
        let falseRejectRate: Double
        let failureToAcquireRate: Double?
        let length: Double

        /// - Parameters:
        ///   - share: the share of bad days, 0 to 1.
        ///   - falseRejectRate: the rate on bad days.
        ///   - failureToAcquireRate: default: the rate of good days.
        ///   - length: default: ``usualLength``.
        public init(share: Double, falseRejectRate: Double, failureToAcquireRate: Double?, length: Double?) {
            self.share = share
            self.falseRejectRate = falseRejectRate
            self.failureToAcquireRate = failureToAcquireRate
            self.length = length ?? Self.usualLength
        }
    }

    /// Creates a model from rates.
    ///
    /// - Throws: ``RecognitionModelError`` for invalid numbers.
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

    /// The probability that a bad day follows a good one.
    var chanceOfBadDay: Double { badDays.map { $0.share / (1 - $0.share) / $0.length } ?? 0 }

    /// The probability that a good day follows a bad one.
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
        // If no sample can be compared, no prompt ends.
        guard day.failureToAcquireRate < 1 else { throw .nothingAcquired }
        // If no time passes, no prompt times out.
        guard day.latency.lowerBound >= .zero, day.latency.upperBound > .zero, day.latency.upperBound <= .seconds(60)
        else {
            throw .latencyOutOfRange
        }
    }

    private static func require(_ rate: Double, _ name: String) throws(RecognitionModelError) {
        guard (0...1).contains(rate) else { throw .rateOutOfRange(name, rate) }
    }
}

/// An invalid number in a model.
public enum RecognitionModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A rate outside 0 to 1.
    case rateOutOfRange(String, Double)
    /// A sensor that never acquires a sample.
    case nothingAcquired
    /// A latency that is zero, or above a minute.
    case latencyOutOfRange
    /// A share of bad days outside 0 to 1.
    case shareOutOfRange(Double)
    /// Bad days shorter than a prompt.
    case lengthTooShort(Double)
    /// Bad days too short for their share.
    case tooManyBadDays(share: Double, length: Double)

    /// A sentence for the user.
    public var description: String {
        switch self {
        case .rateOutOfRange(let name, let rate): "\(name) is \(rate), but must lie between 0 and 1"
        case .nothingAcquired: "the failure-to-acquire rate must be below 1"
        case .latencyOutOfRange: "the latency of a sample must be above 0 and at most 60 s"
        case .shareOutOfRange(let share):
            "the share of bad days is \(share), but must lie between 0 and 1; if every day is bad, set the ordinary rates instead"
        case .lengthTooShort(let length): "a bad day lasts \(length) prompts, but must last 1 or more"
        case .tooManyBadDays(let share, let length):
            "bad days of \(length) prompts cannot make up \(share) of all prompts; make them longer"
        }
    }
}
