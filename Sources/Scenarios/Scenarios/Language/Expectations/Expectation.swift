/// The expected observations of a step; only those named are checked, and always the outcome.
package struct Expectation: Sendable {
    package struct Check: Sendable {
        package let line: Int
        package let subject: Subject
        /// The value as written.
        package let value: String
        /// The JSON Pointer of the checked member; nil for a subject without members.
        var member: String?
        /// The whole list that is expected, in any order; nil for a single value.
        var whole: [String]?
        /// Whether the value must be missing.
        var isExcluded = false

        var label: String { member.map { "\(subject.name) \($0)" } ?? subject.name }
    }

    package let checks: [Check]

    enum Outcome: String, CaseIterable { case ok, refused }

    var outcome: Outcome { checks.lazy.filter(\.isOutcome).compactMap { Outcome(rawValue: $0.value) }.first ?? .ok }

    /// The line that states the outcome; nil for the default.
    var outcomeLine: Int? { checks.first(where: \.isOutcome)?.line }

    /// The words of the acts that a prompt is expected to ignore.
    var ignoredActs: [String] {
        checks.filter { $0.subject.name == Subject.ignored.name }.flatMap { $0.whole ?? [$0.value] }
    }

    /// Whether it says more than that the step succeeds.
    var looks: Bool { outcome == .refused || checks.contains { !$0.isOutcome && !$0.isMetBySuccess } }
}

extension Expectation.Check {
    /// Whether only one reason of a refusal meets it.
    var namesReason: Bool { subject.namesReason && value != Expectation.Subject.nothing && !isExcluded }

    /// Whether each step that succeeds meets it: it demands that a reason of a refusal is missing.
    fileprivate var isMetBySuccess: Bool { subject.namesReason && !namesReason }

    var isOutcome: Bool { subject.name == Expectation.Subject.outcome.name }

    /// The expected value in words.
    var words: String { whole != nil ? "exactly \(value)" : isExcluded ? "no \(value)" : value }
}
