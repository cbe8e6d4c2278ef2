import BiometricStatistics
import Testing

@Suite("Confidence intervals")
struct ConfidenceIntervalTests {
    /// Ends from the quantiles of the beta distribution, computed by another program.
    @Test(
        "The exact interval is Clopper and Pearson's",
        arguments: [
            (0, 100, 0.95, 0.0, 0.03621669264517641),
            (5, 100, 0.95, 0.016431879182052, 0.11283491110546275),
            (100, 100, 0.95, 0.9637833073548235, 1.0),
            (20, 1_000_000, 0.95, 1.2216561020974468e-05, 3.088820974043738e-05),
            (30_000, 1_000_000, 0.99, 0.029562333216018567, 0.03044214506009187),
            (1, 10, 0.9, 0.0051161968918237, 0.39416330243650466),
        ])
    func exact(errors: Int, trials: Int, level: Double, lower: Double, upper: Double) {
        let interval = ConfidenceInterval.independent(errors: errors, trials: trials, level: level)
        #expect(abs(interval.lower - lower) <= 1e-9 * max(lower, 1e-3))
        #expect(abs(interval.upper - upper) <= 1e-9 * max(upper, 1e-3))
    }

    @Test("Without measurements the interval is the whole range")
    func empty() {
        let interval = ConfidenceInterval.independent(errors: 0, trials: 0, level: 0.95)
        #expect(interval == ConfidenceInterval.clustered(ClusterSums(), level: 0.95))
        #expect(interval.lower == 0 && interval.upper == 1)
    }

    @Test("Clusters that fail as a whole make the interval wider than independent trials")
    func clustered() {
        var clusters = ClusterSums()
        for index in 0..<1000 { clusters.add(errors: index.isMultiple(of: 10) ? 20 : 0, trials: 20) }
        let interval = ConfidenceInterval.clustered(clusters, level: 0.95)
        let independent = ConfidenceInterval.independent(errors: 2000, trials: 20_000, level: 0.95)
        // A hundred of a thousand clusters: ±1.96·√(0.1·0.9/1000).
        #expect(abs(interval.upper - 0.1186) < 0.0002)
        #expect(abs(interval.lower - 0.0814) < 0.0002)
        #expect(interval.upper - interval.lower > 4 * (independent.upper - independent.lower))
    }
}
