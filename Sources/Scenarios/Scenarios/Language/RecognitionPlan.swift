internal import BiometricStatistics
internal import Documents

/// The model of a user's samples in a scenario; its seed is derived from the run's.
struct RecognitionPlan: Sendable {
    let model: RecognitionModel
    let subject: SampleSource.Subject

    private struct Rates {
        var who = SampleSource.Subject.genuine
        var far = 0.0
        var frr = 0.0
        var fta = 0.0
        var badDays: BadDays?
    }

    private struct BadDays {
        var share = 0.0
        var frr = 0.0
        var fta: Double?
        var length: Int?
    }

    private static let badDays = DocumentSection<BadDays> {
        DocumentKey("share", \.share, .rate, "The share of prompts on bad days.", .required)
        DocumentKey("frr", \.frr, .rate, "The false reject rate on bad days.", .required)
        DocumentKey("fta", \.fta, .rate, "The failure to acquire rate on bad days; default: the rate of other days.")
        DocumentKey("length", \.length, .number(1...1_000_000), "The average length in prompts; default: 20.")
    }

    private static let rates = DocumentSection<Rates> {
        DocumentKey("who", \.who, .choice, "The user at the sensor; default: genuine.")
        DocumentKey("far", \.far, .rate, "False accept rate: the share of an impostor's samples that match.")
        DocumentKey("frr", \.frr, .rate, "False reject rate: the share of the user's own samples that do not match.")
        DocumentKey("fta", \.fta, .rate, "Failure to acquire rate: the share of samples that cannot be compared.")
        DocumentKey("bad-days", \.badDays, .mapping(badDays, from: BadDays()), "Days with higher error rates.")
    } check: { rates, fields in
        let isOwn = rates.who == .genuine
        for key in isOwn ? ["far"] : ["frr", "bad-days"] {
            guard let value = fields[key] else { continue }
            throw value.error(
                "\(key) has no effect on \(isOwn ? "the user's own" : "an impostor's") samples; remove it, or change who"
            )
        }
        guard !isOwn || rates.frr > 0 || rates.fta > 0 || rates.badDays != nil else {
            throw fields.owner.error("all rates are 0, so people has no effect; add frr, fta or bad-days")
        }
    }

    static let form = Form.mapping(rates, from: Rates()).nonEmpty.map { rates in
        let badDays = rates.badDays.map {
            RecognitionModel.BadDayRates(
                share: $0.share, falseRejectRate: $0.frr, failureToAcquireRate: $0.fta,
                length: $0.length.map(Double.init))
        }
        return RecognitionPlan(
            model: try RecognitionModel(
                falseAcceptRate: rates.far, falseRejectRate: rates.frr, failureToAcquireRate: rates.fta,
                badDays: badDays),
            subject: rates.who)
    }
}

extension Form<Double> {
    /// A rate such as `1:50000`, `3%` or `0.03`.
    fileprivate static var rate: Form {
        Form(.anyOf([.number, .pattern("[0-9.:% ]{1,20}")]), words: "rate") { value in
            guard let rate = RecognitionModel.rate(try value.string()) else {
                throw value.error("expected a rate: 1:50000, 3% or 0.03")
            }
            return rate
        }
    }
}
