internal import RealModule

/// A confidence interval of a rate.
public struct ConfidenceInterval: Hashable, Sendable, Codable {
    /// The lower end.
    public let lower: Double
    /// The upper end.
    public let upper: Double

    /// Whether a rate lies in the interval.
    public func contains(_ rate: Double) -> Bool { (lower...upper).contains(rate) }

    /// The exact interval by Clopper and Pearson, for independent trials.
    ///
    /// Without errors the upper end at 95 % is the rule of three's: about 3/N for one side, 3.7/N for two.
    ///
    /// - Parameters:
    ///   - errors: the number of trials with an error.
    ///   - trials: the number of trials.
    ///   - level: the confidence level, such as 0.95.
    public static func independent(errors: Int, trials: Int, level: Double) -> ConfidenceInterval {
        guard trials > 0 else { return ConfidenceInterval(lower: 0, upper: 1) }
        let tail = (1 - level) / 2
        let k = Double(errors)
        let n = Double(trials)
        // P(X ≥ k | p) = I_p(k, n−k+1) grows with p.
        let lower = errors == 0 ? 0 : root { Beta.regularized(k, n - k + 1, at: $0) - tail }
        let upper = errors == trials ? 1 : root { Beta.regularized(k + 1, n - k, at: $0) - (1 - tail) }
        return ConfidenceInterval(lower: lower, upper: upper)
    }

    /// The normal approximation of the ratio estimator's interval over clusters of trials, such as bad days.
    public static func clustered(_ clusters: ClusterSums, level: Double) -> ConfidenceInterval {
        guard clusters.trials > 0, clusters.count > 1 else { return ConfidenceInterval(lower: 0, upper: 1) }
        let rate = clusters.errors / clusters.trials
        let n = Double(clusters.count)
        let residuals =
            clusters.squaredErrors - 2 * rate * clusters.errorsByTrials + rate * rate * clusters.squaredTrials
        let deviation = (max(0, residuals) * n / (n - 1)).squareRoot() / clusters.trials
        let margin = Self.quantile(level) * deviation
        return ConfidenceInterval(lower: max(0, rate - margin), upper: min(1, rate + margin))
    }

    /// The root of an increasing function between 0 and 1.
    private static func root(_ function: (Double) -> Double) -> Double {
        var low = 0.0
        var high = 1.0
        for _ in 0..<200 {
            let middle = (low + high) / 2
            if function(middle) < 0 { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    /// The standard deviations around the mean that hold a share `level` of a normal distribution.
    private static func quantile(_ level: Double) -> Double {
        10 * root { Double.erf(10 * $0 / 2.0.squareRoot()) - level }
    }
}

/// The sums over a run's clusters.
public struct ClusterSums: Hashable, Sendable {
    /// The number of clusters.
    public private(set) var count = 0
    private(set) var errors = 0.0
    private(set) var trials = 0.0
    private(set) var squaredErrors = 0.0
    private(set) var squaredTrials = 0.0
    private(set) var errorsByTrials = 0.0

    /// No clusters yet.
    public init() {}

    /// Adds a cluster.
    public mutating func add(errors: Int, trials: Int) {
        guard trials > 0 else { return }
        let e = Double(errors)
        let n = Double(trials)
        count += 1
        self.errors += e
        self.trials += n
        squaredErrors += e * e
        squaredTrials += n * n
        errorsByTrials += e * n
    }
}

/// The beta distribution.
private enum Beta {
    /// The regularized incomplete beta function I_x(a, b): a continued fraction, evaluated as Lentz did.
    static func regularized(_ a: Double, _ b: Double, at x: Double) -> Double {
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        let front = Double.exp(
            Double.logGamma(a + b) - Double.logGamma(a) - Double.logGamma(b) + a * Double.log(x)
                + b * Double.log(onePlus: -x))
        // The fraction converges fast only below the mean.
        return x < (a + 1) / (a + b + 2)
            ? front * fraction(a, b, x) / a : 1 - front * fraction(b, a, 1 - x) / b
    }

    private static func fraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
        let tiny = 1e-300
        func nonzero(_ value: Double) -> Double { value.magnitude < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / nonzero(1 - (a + b) * x / (a + 1))
        var result = d
        for step in 1...10_000 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            d = 1 / nonzero(1 + even * d)
            c = nonzero(1 + even / c)
            result *= d * c
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            d = 1 / nonzero(1 + odd * d)
            c = nonzero(1 + odd / c)
            let change = d * c
            result *= change
            if (change - 1).magnitude < 1e-15 { break }
        }
        return result
    }
}
