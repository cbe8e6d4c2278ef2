/// Times of two pieces of work that run in turn, so that a change of the machine's speed affects both.
struct Measurement {
    /// Median microseconds of one run of each.
    let subject: Double
    let baseline: Double

    /// The subject's time over the baseline's.
    var ratio: Double { baseline > 0 ? subject / baseline : 0 }

    /// Measures `rounds` pairs after one warm-up pair.
    static func pair(
        rounds: Int, subject: () async throws -> Void, baseline: () async throws -> Void
    ) async rethrows -> Measurement {
        var subjects: [Double] = []
        var baselines: [Double] = []
        for round in 0...rounds {
            let one = try await time(subject)
            let other = try await time(baseline)
            guard round > 0 else { continue }
            subjects.append(one)
            baselines.append(other)
        }
        return Measurement(subject: median(subjects), baseline: median(baselines))
    }

    private static func time(_ work: () async throws -> Void) async rethrows -> Double {
        let started = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - started) / .microseconds(1)
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    }
}
