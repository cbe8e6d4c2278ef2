/// The declaration of a row: the run, its verdict and docs/performance.md read it.
struct BenchmarkRow: Hashable, Sendable {
    let subject: String
    let baseline: String
    /// The highest acceptable ratio of subject to baseline; nil for a row that is not judged.
    let limit: Double?
    let unit: BenchmarkResult.Unit

    init(_ subject: String, over baseline: String, limit: Double? = nil, unit: BenchmarkResult.Unit = .microseconds) {
        (self.subject, self.baseline, self.limit, self.unit) = (subject, baseline, limit, unit)
    }
}

/// A measured row: the ratio of a subject to a baseline of the same run.
package struct BenchmarkResult: Sendable, Codable {
    /// The unit of absolute values.
    package enum Unit: String, Sendable, Codable {
        case microseconds = "µs"
        case kibibytes = "KiB"
    }

    package let name: String
    package let baseline: String
    /// The median of the rounds' ratios.
    package let value: Double
    /// The range that holds the true median with a confidence of 95 %.
    package let interval: Interval
    /// The highest acceptable ratio; nil for a row that is not judged.
    package let limit: Double?
    /// Whether the interval has values within the limit; true without a limit.
    package let isWithinLimit: Bool
    /// The unit of ``spread`` and ``baselineSpread``.
    package let unit: Unit
    /// The subject's absolute values, which are not judged.
    package let spread: Spread
    /// The baseline's absolute values.
    package let baselineSpread: Spread

    /// - Throws: ``BenchmarkFailure`` when the baseline took nothing in every round.
    init(_ row: BenchmarkRow, _ measurement: Measurement) throws {
        let ratios = measurement.ratios
        guard !ratios.isEmpty else {
            throw BenchmarkFailure(description: "\(row.baseline): too little to measure; use more rounds")
        }
        name = row.subject
        baseline = row.baseline
        limit = row.limit
        unit = row.unit
        value = Spread(ratios).median
        interval = Interval(ofMedian: ratios)
        isWithinLimit = interval.lower <= row.limit ?? .infinity
        spread = Spread(measurement.subject)
        baselineSpread = Spread(measurement.baseline)
    }
}
