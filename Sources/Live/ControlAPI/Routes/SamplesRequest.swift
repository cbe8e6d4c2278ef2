internal import BiometricStatistics
internal import Documents
internal import LoopbackHTTP
internal import SimulatedDevice

/// The model of a user's samples in a device order.
enum SamplesRequest {
    private static let rate = Schema.pattern("[0-9.:% ]{1,20}", 1...20, words: "a rate such as 1:50000, 3% or 0.03")

    static let schema = Schema.object(Schema.Members(members: members, atLeast: 1))

    private static let members: [Schema.Member] = [
        .optional(
            "who", .choice(SampleSource.Subject.allCases.map(\.rawValue)), "The user at the sensor; default: genuine."
        ),
        .optional(
            "far", rate,
            "False accept rate, the share of an impostor's samples that match: \"1:50000\", \"3%\" or \"0.03\"."),
        .optional("frr", rate, "False reject rate, the share of the user's own samples that do not match."),
        .optional("fta", rate, "Failure to acquire rate, the share of samples that cannot be compared."),
        .optional(
            "badDays",
            .object(
                .required("share", rate, "The share of prompts on bad days."),
                .required("frr", rate, "The false reject rate on bad days."),
                .optional("fta", rate, "The failure to acquire rate on bad days; default: the rate of other days."),
                .optional("length", .integer(1...1_000_000), "The average length of a bad day in prompts; default: 20.")
            ),
            "Days with higher error rates."),
    ]

    /// The members that have no effect on the samples of a subject.
    private static func idleMembers(of subject: SampleSource.Subject) -> [String] {
        switch subject {
        case .genuine: ["far"]
        case .impostor: ["frr", "badDays"]
        }
    }

    /// Drawn seeds are in the answer, so they are numbers that every JSON reader keeps exact.
    private static let drawnSeeds: ClosedRange<UInt64> = 0...(1 << 53 - 1)

    /// - Throws: `samples.invalid`, `member.idle`.
    static func plan(_ body: JSONValue, seed: UInt64?) throws(APIError) -> StatisticalUser.Plan {
        let subject = (body["who"]?.text).flatMap(SampleSource.Subject.init) ?? .genuine
        if let idle = idleMembers(of: subject).first(where: { body[$0] != nil }) {
            throw .idleMember(
                "samples.\(idle)", "has no effect on the samples of a user who is \(subject.rawValue); leave it out")
        }
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
            return StatisticalUser.Plan(model, subject: subject, seed: seed ?? .random(in: drawnSeeds))
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError(422, .samplesInvalid, because: error)
        }
    }

    private static func rate(_ value: JSONValue?) throws(APIError) -> Double? {
        guard let text = value?.text else { return nil }
        guard let rate = RecognitionModel.rate(text) else {
            throw APIError(
                422, .samplesInvalid, "“\(text)” is not a rate; expected a rate such as 1:50000, 3% or 0.03.")
        }
        return rate
    }
}
