import ArgumentParser
import BiometricStatistics

/// How often a sensor errs.
struct RecognitionOptions: ParsableArguments {
    @Option(help: "FAR by attempt: the share of a stranger's samples that matches; 1:50000 unless given.")
    var far: Rate?

    @Option(help: "FRR by attempt: the share of the person's own samples that does not; 3% unless given.")
    var frr: Rate?

    @Option(help: "The share of samples that cannot be compared (failure to acquire); none unless given.")
    var fta: Rate?

    @Option(help: "The share of prompts that fall on bad days.")
    var badDays: Rate?

    @Option(help: "FRR by attempt on bad days; 50% unless given.")
    var badDayFRR: Rate?

    @Option(help: "Failure to acquire on bad days; without it, as on good ones.")
    var badDayFTA: Rate?

    @Option(help: "How many prompts a bad day lasts on average; 20 unless given.")
    var badDayLength: Double?

    func validate() throws {
        if badDays == nil, badDayFRR != nil || badDayFTA != nil || badDayLength != nil {
            throw ValidationError(
                "--bad-day-frr, --bad-day-fta and --bad-day-length need --bad-days, the share of them.")
        }
    }

    /// Whether any of them is given.
    var isGiven: Bool {
        far != nil || frr != nil || fta != nil || badDays != nil || badDayFRR != nil || badDayFTA != nil
            || badDayLength != nil
    }

    /// The model they describe.
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

/// A share as people write it: `1:50000`, `3%` or `0.03`.
struct Rate: ExpressibleByArgument {
    let share: Double

    init(_ share: Double) {
        self.share = share
    }

    init?(argument: String) {
        guard let share = RecognitionModel.rate(argument) else { return nil }
        self.share = share
    }
}
