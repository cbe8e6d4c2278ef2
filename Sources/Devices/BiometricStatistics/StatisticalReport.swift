public import Biometrics

/// The error rates of a gate, measured and forecast.
public struct StatisticalReport: Hashable, Sendable, Codable {
    /// One rate.
    public struct Rate: Hashable, Sendable, Codable {
        /// The name, such as `FRR by attempt`.
        public let name: String
        /// The number of errors.
        public let errors: Int
        /// The number of trials.
        public let trials: Int
        /// The measured share.
        public let measured: Double
        /// The range that holds the true rate, at the report's level.
        public let interval: ConfidenceInterval
        /// The calculated value.
        public let forecast: Double
        /// Whether the forecast lies in the interval.
        public let isForecastInside: Bool
        /// A warning that the sample is too small; nil if it is large enough.
        public let caution: String?
    }

    /// The confidence level, such as 0.95.
    public let level: Double
    /// The run's random seed.
    public let seed: UInt64
    /// The genuine user's rates.
    public let genuine: [Rate]
    /// The impostors'.
    public let impostor: [Rate]
    /// The number of the genuine user's prompts that required the device credential because of a time limit.
    public let credentialDemands: Int

    /// Plays a number of the genuine user's samples, and as many of impostors.
    ///
    /// - Parameters:
    ///   - gate: the state before the first sample.
    ///   - model: the sensor's error rates.
    ///   - attempts: the number of compared samples per subject.
    ///   - seed: the random seed.
    ///   - patience: the rejections after which the user gives up on a prompt.
    ///   - level: the confidence level, above 0.5 and below 1.
    /// - Throws: ``StatisticalRunError`` for a sensor that cannot verify, or prompts that failures never end.
    public static func measure(
        _ gate: UserVerificationGate, model: RecognitionModel, attempts: Int, seed: UInt64, patience: Int? = nil,
        level: Double = 0.95
    ) throws(StatisticalRunError) -> StatisticalReport {
        let rules = LockoutRules(gate, patience: patience)
        let genuine = try StatisticalRun(gate: gate, model: model, subject: .genuine, seed: seed, patience: patience)
        let forecasts = (
            genuine: try Forecast(model, of: .genuine, under: rules),
            impostor: try Forecast(model, of: .impostor, under: rules)
        )
        // A different seed keeps the two sequences independent.
        let impostor = try StatisticalRun(gate: gate, model: model, subject: .impostor, seed: ~seed, patience: patience)
        let counted = genuine.play(attempts: attempts)
        return StatisticalReport(
            level: level, seed: seed,
            genuine: genuineRates(counted, forecasts.genuine, isClustered: model.badDays != nil, level),
            impostor: impostorRates(impostor.play(attempts: attempts), forecasts.impostor, level),
            credentialDemands: counted.credentialDemands)
    }

    private static func genuineRates(
        _ tally: RunTally, _ forecast: Forecast, isClustered: Bool, _ level: Double
    ) -> [Rate] {
        func rate(_ name: String, _ errors: Int, of trials: Int, _ clusters: ClusterSums, _ expected: Double) -> Rate {
            Rate(
                name, errors: errors, trials: trials, clusters: isClustered ? clusters : nil, forecast: expected,
                level: level)
        }
        return [
            rate(
                "failure to acquire", tally.failuresToAcquire, of: tally.samples, tally.acquisitionFailures,
                forecast.failureToAcquire),
            rate(
                "FRR by attempt", tally.attempts - tally.matches, of: tally.attempts, tally.rejections,
                forecast.rejectionByAttempt),
            rate(
                "FRR by transaction", tally.prompts - tally.verified, of: tally.prompts, tally.failures,
                forecast.failureByPrompt),
            rate("timed lockouts", tally.timedLockouts, of: tally.prompts, tally.timed, forecast.timedLockouts),
            rate(
                "permanent lockouts", tally.permanentLockouts, of: tally.prompts, tally.permanent,
                forecast.permanentLockouts),
        ]
    }

    private static func impostorRates(_ tally: RunTally, _ forecast: Forecast, _ level: Double) -> [Rate] {
        func rate(_ name: String, _ errors: Int, of trials: Int, _ expected: Double) -> Rate {
            Rate(name, errors: errors, trials: trials, clusters: nil, forecast: expected, level: level)
        }
        return [
            rate("FAR by attempt", tally.matches, of: tally.attempts, forecast.matchByAttempt),
            rate("FAR by transaction", tally.verified, of: tally.prompts, forecast.verificationByPrompt),
            rate(
                "FAR before lockout", tally.verified, of: tally.verified + tally.permanentLockouts,
                forecast.verificationByAttack),
        ]
    }
}

extension StatisticalReport.Rate {
    fileprivate init(
        _ name: String, errors: Int, trials: Int, clusters: ClusterSums?, forecast: Double, level: Double
    ) {
        self.name = name
        self.errors = errors
        self.trials = trials
        measured = trials == 0 ? 0 : Double(errors) / Double(trials)
        // A few runs do not show the variance between days; without errors there is no variance.
        let isClustered = errors > 0 && (clusters?.count ?? 0) >= 30
        interval =
            if isClustered, let clusters {
                ConfidenceInterval.clustered(clusters, level: level)
            } else {
                ConfidenceInterval.independent(errors: errors, trials: trials, level: level)
            }
        self.forecast = forecast
        isForecastInside = interval.contains(forecast)
        caution =
            switch errors {
            case _ where trials == 0: "nothing to measure"
            case 0 where forecast == 0: nil
            case 0: "no error: by the rule of three at most \(Self.short(3 / Double(trials))) at 95 %"
            case ..<30: "fewer than 30 errors: by the rule of thirty not within 30 % at 90 %"
            default: clusters != nil && !isClustered ? "fewer than 30 runs of bad days" : nil
            }
    }

    /// The rate with two significant digits.
    private static func short(_ rate: Double) -> String {
        var exponent = 0
        var mantissa = rate
        while mantissa > 0, mantissa < 1 {
            mantissa *= 10
            exponent += 1
        }
        let rounded = (mantissa * 10).rounded() / 10
        return exponent == 0 ? "\(rounded)" : "\(rounded)e-\(exponent)"
    }
}
