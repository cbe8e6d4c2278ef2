import ArgumentParser
import BiometricStatistics

/// The error rates of a sensor.
struct RecognitionOptions: ParsableArguments {
    @Option(help: "False accept rate of one attempt; default: 1:50000.", transform: Rate.read)
    var far: Rate?

    @Option(help: "False reject rate of one attempt, on days that are not bad; default: 3%.", transform: Rate.read)
    var frr: Rate?

    @Option(help: "Failure-to-acquire rate: samples that cannot be compared; default: 0.", transform: Rate.read)
    var fta: Rate?

    @Option(help: "The share of prompts on bad days; default: 0.", transform: Rate.read)
    var badDays: Rate?

    @Option(help: "False reject rate of one attempt on bad days; default: 50%.", transform: Rate.read)
    var badDayFRR: Rate?

    @Option(help: "Failure-to-acquire rate on bad days; default: as on good days.", transform: Rate.read)
    var badDayFTA: Rate?

    @Option(help: "Mean number of prompts of a bad day; default: 20.")
    var badDayLength: Double?

    func validate() throws {
        try OptionRule.need(
            "--bad-days above 0, the share of them", badDays.map { $0.share > 0 } ?? false,
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
            badDays: badDays.flatMap { share in
                guard share.share > 0 else { return nil }
                return RecognitionModel.BadDayRates(
                    share: share.share, falseRejectRate: badDayFRR?.share ?? 0.5,
                    failureToAcquireRate: badDayFTA?.share, length: badDayLength)
            })
    }
}

/// A rate, written `1:50000`, `3%` or `0.03`.
struct Rate {
    let share: Double

    static func read(_ text: String) throws -> Rate {
        guard let share = RecognitionModel.rate(text) else {
            throw ValidationError("expected a rate from 0 to 1, written 1:50000, 3% or 0.03")
        }
        return Rate(share: share)
    }
}
