/// The number of cases that were left out for one reason.
package struct ReasonCount: Hashable, Sendable {
    package let verdict: Verdict
    package let reason: String
    package let cases: Int
}

extension ConformanceReport {
    /// The reasons for cases that were not applicable or not run, the most frequent one of each verdict first.
    package var reasons: [ReasonCount] {
        [Verdict.notApplicable, .notRun].flatMap { verdict in
            let counts = results.filter { $0.verdict == verdict }
                .reduce(into: [String: Int]()) { $0[$1.reason ?? "", default: 0] += 1 }
            return counts.map { ReasonCount(verdict: verdict, reason: $0.key, cases: $0.value) }
                .sorted { ($1.cases, $0.reason) < ($0.cases, $1.reason) }
        }
    }

    /// The cases whose verdicts make a run fail.
    package func failures(from threshold: FailureThreshold) -> [String] {
        results.filter { threshold.includes($0.verdict) }.map(\.id)
    }
}
