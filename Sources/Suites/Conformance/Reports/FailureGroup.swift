/// Failures of a run with the same observation.
package struct FailureGroup: Hashable, Sendable {
    /// The observation that ended them, such as a status.
    package let seen: String
    package let cases: Int
    /// The identifier of the first one.
    package let first: String
}

extension ConformanceReport {
    /// The failures without an entry in the baseline, grouped by observation, the largest group first.
    ///
    /// Failures with one observation usually have one cause.
    package var failureGroups: [FailureGroup] {
        var groups: [String: (cases: Int, first: String, place: Int)] = [:]
        for (place, result) in results.enumerated() where result.verdict == .failed && result.known == nil {
            guard let seen = result.cause else { continue }
            groups[seen] = groups[seen].map { ($0.cases + 1, $0.first, $0.place) } ?? (1, result.id, place)
        }
        return groups.sorted { ($1.value.cases, $0.value.place) < ($0.value.cases, $1.value.place) }
            .map { FailureGroup(seen: $0.key, cases: $0.value.cases, first: $0.value.first) }
    }
}

extension CaseResult {
    /// The observation of its first deviation from a demand; nil for a case that did not fail.
    package var cause: String? {
        verdict == .failed ? deviations.first { $0.level == .must }?.seen : nil
    }
}
