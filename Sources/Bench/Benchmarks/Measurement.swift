/// Times of two pieces of work that run in turn, so that a change of the machine's speed affects both.
struct Measurement: Sendable {
    let subject: Spread
    let baseline: Spread

    /// The ratio of the medians.
    var ratio: Double { baseline.median > 0 ? subject.median / baseline.median : 0 }

    /// Measures `rounds` pairs after one warm-up pair.
    static func pair(
        rounds: Int, subject: () async throws -> Void, baseline: () async throws -> Void
    ) async rethrows -> Measurement {
        try await pair(rounds: rounds, subject: subject, preparation: {}, baseline: baseline)
    }

    /// Measures `rounds` pairs after one warm-up pair.
    ///
    /// - Parameter preparation: work before each baseline, which is not measured.
    static func pair(
        rounds: Int, subject: () async throws -> Void, preparation: () async throws -> Void,
        baseline: () async throws -> Void
    ) async rethrows -> Measurement {
        var subjects: [Double] = []
        var baselines: [Double] = []
        for round in 0...rounds {
            let one = try await time(subject)
            try await preparation()
            let other = try await time(baseline)
            guard round > 0 else { continue }
            subjects.append(one)
            baselines.append(other)
        }
        return Measurement(subject: Spread(subjects), baseline: Spread(baselines))
    }

    /// The microseconds of a piece of work.
    static func time(_ work: () async throws -> Void) async rethrows -> Double {
        let started = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - started) / .microseconds(1)
    }
}

/// The spread of a piece of work's times, in microseconds.
package struct Spread: Sendable, Codable {
    /// Half of the runs took at most this time.
    package let median: Double
    /// Nine of ten runs took at most this time.
    package let ninetieth: Double

    init(_ times: [Double]) {
        let sorted = times.sorted()
        median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        ninetieth = sorted.isEmpty ? 0 : sorted[sorted.count * 9 / 10]
    }

    private init(median: Double, ninetieth: Double) {
        self.median = median
        self.ninetieth = ninetieth
    }

    /// The spread of one of several equal parts of the work.
    func divided(by parts: Int) -> Spread {
        Spread(median: median / Double(parts), ninetieth: ninetieth / Double(parts))
    }
}
