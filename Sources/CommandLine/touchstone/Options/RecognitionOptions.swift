import ArgumentParser
import BiometricStatistics

/// The error rates of a sensor.
struct RecognitionOptions: ParsableArguments {
    @Option(help: "False accept rate of one attempt; default: 1:50000.")
    var far: Rate?

    @Option(help: "False reject rate of one attempt, on days that are not bad; default: 3%.")
    var frr: Rate?

    @Option(help: "Failure-to-acquire rate: samples that cannot be compared; default: 0.")
    var fta: Rate?

    @Option(help: "The share of prompts on bad days; default: 0.")
    var badDays: Rate?

    @Option(help: "False reject rate of one attempt on bad days; default: 50%.")
    var badDayFRR: Rate?

    @Option(help: "Failure-to-acquire rate on bad days; default: as on good days.")
    var badDayFTA: Rate?

    @Option(help: "Mean number of prompts of a bad day; default: 20.")
    var badDayLength: Double?

    func validate() throws {
        try OptionRule.need(
            "--bad-days, the share of them", badDays != nil,
            for: [
                "--bad-day-frr": badDayFRR != nil, "--bad-day-fta": badDayFTA != nil,
                "--bad-day-length": badDayLength != nil,
            ])
    }

    /// The rates that concern an impostor's samples only.
    var ofImpostors: OptionRule.Options { ["--far": far != nil] }

    /// The rates that concern the genuine user's samples only.
    var ofGenuineUsers: OptionRule.Options { ["--frr": frr != nil, "--bad-days": badDays != nil] }

    /// The rates that concern all samples.
    var ofAll: OptionRule.Options { ["--fta": fta != nil] }

    func model() throws(RecognitionModelError) -> RecognitionModel {
        try RecognitionModel(
            falseAcceptRate: far?.share ?? 1.0 / 50_000, falseRejectRate: frr?.share ?? 0.03,
            failureToAcquireRate: fta?.share ?? 0,
            badDays: badDays.map { share in
                RecognitionModel.BadDayRates(
                    share: share.share, falseRejectRate: badDayFRR?.share ?? 0.5,
                    failureToAcquireRate: badDayFTA?.share, length: badDayLength)
            })
    }
}

/// A rate, written `1:50000`, `3%` or `0.03`.
struct Rate: ExpressibleByArgument {
    let share: Double

    init?(argument: String) {
        guard let share = RecognitionModel.rate(argument) else { return nil }
        self.share = share
    }
}
