/// Failures of a run with the same observation, apart from places, bytes and bodies.
package struct FailureGroup: Hashable, Sendable {
    /// The observation that ended the first of them, such as a status.
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
        var groups: [String: (cases: Int, first: CaseResult, place: Int)] = [:]
        for (place, result) in results.enumerated() where result.verdict == .failed && result.known == nil {
            guard let kind = result.cause.map(FailureGroup.kind) else { continue }
            groups[kind] = groups[kind].map { ($0.cases + 1, $0.first, $0.place) } ?? (1, result, place)
        }
        return groups.values.sorted { ($1.cases, $0.place) < ($0.cases, $1.place) }
            .map { FailureGroup(seen: $0.first.cause ?? "", cases: $0.cases, first: $0.first.id) }
    }
}

extension FailureGroup {
    /// An observation without the places, bytes, moments and quoted texts that differ from case to case.
    ///
    /// Statuses such as `0x14` and `→ 400` stay, and the words of a body, because they tell causes apart.
    fileprivate static func kind(of seen: String) -> String {
        let plain = seen.replacing(/“[^”]*”/, with: "“”")
            .replacing(/\b(byte|column|position|line) [0-9]+/) { "\($0.output.1) 0" }
            .replacing(/\b[0-9a-fA-F]{8,}\b/, with: "00")
        guard let body = plain.firstMatch(of: /→ [0-9]{3}\b/)?.range.upperBound else { return plain }
        return String(plain[..<body])
            + plain[body...].replacing(/(?=[A-Za-z_+\/=-]*[0-9])[A-Za-z0-9_+\/=-]{16,}/, with: "").replacing(
                /[0-9]+/, with: "0")
    }
}

extension CaseResult {
    /// The observation of its first deviation from a demand; nil for a case that did not fail.
    package var cause: String? {
        verdict == .failed ? deviations.first { $0.level == .must }?.seen : nil
    }
}
