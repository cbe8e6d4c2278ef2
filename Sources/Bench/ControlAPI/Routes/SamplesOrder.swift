internal import BiometricStatistics
internal import Documents
internal import LoopbackHTTP
internal import SimulatedDevice

/// How a person's samples come out, as an order for a device says it.
enum SamplesOrder {
    private static let rate = Schema.pattern("[0-9.:% ]{1,20}", 1...20)

    static let schema = Schema.object(
        .optional(
            "who", .choice(SampleSource.Subject.allCases.map(\.rawValue)), "Whose samples; genuine unless given."),
        .optional("far", rate, "The share of a stranger's samples that matches: \"1:50000\", \"3%\" or \"0.03\"."),
        .optional("frr", rate, "The share of the person's own that does not."),
        .optional("fta", rate, "The share that cannot be compared."),
        .optional(
            "badDays",
            .object(
                .required("share", rate, "The share of prompts on bad days."),
                .required("frr", rate, "As above, on such days."),
                .optional("fta", rate, "As above, on such days; else as on others."),
                .optional("length", .integer(1...1_000_000), "How many prompts one lasts on average; 20 unless given.")),
            "Days on which the sensor does worse."))

    /// Seeds nobody gave are told in the answer, so they are numbers that every reader of JSON keeps exact.
    private static let drawnSeeds: ClosedRange<UInt64> = 0...(1 << 53 - 1)

    /// - Throws: `samples.invalid`.
    static func plan(_ body: JSONValue, seed: UInt64?) throws(APIError) -> StatisticalPerson.Plan {
        var badDays: RecognitionModel.BadDayRates?
        if let bad = body["badDays"] {
            badDays = RecognitionModel.BadDayRates(
                share: try rate(bad["share"]) ?? 0, falseRejectRate: try rate(bad["frr"]) ?? 0,
                failureToAcquireRate: try rate(bad["fta"]), length: bad["length"]?.integer.map(Double.init))
        }
        do {
            let model = try RecognitionModel(
                falseAcceptRate: try rate(body["far"]) ?? 0, falseRejectRate: try rate(body["frr"]) ?? 0,
                failureToAcquireRate: try rate(body["fta"]) ?? 0, badDays: badDays)
            let subject = (body["who"]?.text).flatMap(SampleSource.Subject.init) ?? .genuine
            return StatisticalPerson.Plan(model, subject: subject, seed: seed ?? .random(in: drawnSeeds))
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError(422, .samplesInvalid, "\(error).")
        }
    }

    private static func rate(_ value: JSONValue?) throws(APIError) -> Double? {
        guard let text = value?.text else { return nil }
        guard let rate = RecognitionModel.rate(text) else {
            throw APIError(422, .samplesInvalid, "“\(text)” is no rate; expected 1:50000, 3% or 0.03.")
        }
        return rate
    }
}
