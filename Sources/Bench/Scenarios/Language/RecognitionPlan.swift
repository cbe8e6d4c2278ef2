internal import BiometricStatistics
internal import Documents

/// The model of a user's samples in a scenario; its seed is derived from the run's.
struct RecognitionPlan: Sendable {
    let model: RecognitionModel
    let subject: SampleSource.Subject
}

extension RecognitionPlan {
    /// Reads `people`: a mapping from devices to error rates.
    static func people(
        _ value: YAMLValue?, devices: [String]
    ) throws(SourceError) -> [String: RecognitionPlan] {
        var people: [String: RecognitionPlan] = [:]
        guard let value else { return people }
        for (name, value) in try value.entries() {
            guard devices.contains(name) else {
                throw value.unknownDevice(name, devices)
            }
            people[name] = try RecognitionPlan(reading: value)
        }
        return people
    }

    private init(reading value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["who", "far", "frr", "fta", "bad-days"])
        subject = try fields["who"]?.choice(SampleSource.Subject.self) ?? .genuine
        var badDays: RecognitionModel.BadDayRates?
        if let bad = try fields["bad-days"]?.fields(["share", "frr", "fta", "length"]) {
            badDays = RecognitionModel.BadDayRates(
                share: try Self.rate(try bad.required("share")),
                falseRejectRate: try Self.rate(try bad.required("frr")),
                failureToAcquireRate: try Self.rate(bad["fta"]),
                length: try bad["length"].map { value throws(SourceError) in Double(try value.int(in: 1...1_000_000)) })
        }
        do {
            model = try RecognitionModel(
                falseAcceptRate: try Self.rate(fields["far"]) ?? 0, falseRejectRate: try Self.rate(fields["frr"]) ?? 0,
                failureToAcquireRate: try Self.rate(fields["fta"]) ?? 0, badDays: badDays)
        } catch let error as SourceError {
            throw error
        } catch {
            throw value.error("\(error)")
        }
    }

    private static func rate(_ value: YAMLValue?) throws(SourceError) -> Double? {
        guard let value else { return nil }
        return try rate(value) as Double
    }

    private static func rate(_ value: YAMLValue) throws(SourceError) -> Double {
        guard let rate = RecognitionModel.rate(try value.string()) else {
            throw value.error("expected a rate: 1:50000, 3% or 0.03")
        }
        return rate
    }
}
