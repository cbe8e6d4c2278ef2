/// One line of a benchmark run: a ratio over a baseline of the same run, or a figure.
package struct BenchmarkRow: Sendable, Codable {
    /// The subject's name.
    package let name: String
    /// The name of the baseline, measured in the same run; nil for a figure.
    package let baseline: String?
    /// The ratio of the medians, or the figure.
    package let value: Double
    /// The unit of the value: `x` for a ratio.
    package let unit: String
    /// The bound of an acceptable value; nil without one.
    package let limit: BenchmarkLimit?
    /// Whether the value is within the limit; true without one.
    package let isWithinLimit: Bool
    /// The subject's times; nil for a figure other than a time.
    package let spread: Spread?
    /// The baseline's times; nil for a figure.
    package let baselineSpread: Spread?

    /// A ratio.
    init(_ name: String, over baseline: String, _ measurement: Measurement, limit: Double? = nil) {
        self.init(
            name, over: baseline, measurement.ratio, "x", limit: limit.map { .atMost($0) },
            spread: measurement.subject, baselineSpread: measurement.baseline)
    }

    /// A figure, or a ratio of something else than times.
    init(
        _ name: String, over baseline: String? = nil, _ value: Double, _ unit: String, limit: BenchmarkLimit? = nil,
        spread: Spread? = nil, baselineSpread: Spread? = nil
    ) {
        self.name = name
        self.baseline = baseline
        self.value = value
        self.unit = unit
        self.limit = limit
        isWithinLimit = limit?.allows(value) ?? true
        self.spread = spread
        self.baselineSpread = baselineSpread
    }
}

/// The bound of an acceptable value.
package struct BenchmarkLimit: Sendable, Codable {
    /// The side of the bound on which values are acceptable.
    package enum Side: String, Sendable, Codable {
        case atMost, atLeast
    }

    /// The side.
    package let side: Side
    /// The bound.
    package let bound: Double

    static func atMost(_ bound: Double) -> BenchmarkLimit { BenchmarkLimit(side: .atMost, bound: bound) }
    static func atLeast(_ bound: Double) -> BenchmarkLimit { BenchmarkLimit(side: .atLeast, bound: bound) }

    func allows(_ value: Double) -> Bool {
        switch side {
        case .atMost: value <= bound
        case .atLeast: value >= bound
        }
    }
}

/// The failure of a subject.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
}
