/// The expected observations of a step; only those named are checked, and always the outcome.
package struct Expectation: Sendable {
    package struct Check: Sendable {
        package let line: Int
        package let subject: Subject
        /// The value as written.
        package let value: String
        /// The JSON Pointer of the checked member; nil for a subject without members.
        var member: String?

        var label: String { member.map { "\(subject.name) \($0)" } ?? subject.name }
    }

    package let checks: [Check]

    enum Outcome: String, CaseIterable { case ok, refused }

    var outcome: Outcome {
        checks.lazy.filter(\.isOutcome).compactMap { Outcome(rawValue: $0.value) }.first ?? .ok
    }

    /// The line that states the outcome; nil for the default.
    var outcomeLine: Int? { checks.first(where: \.isOutcome)?.line }

    /// Whether it says more than that the step succeeds.
    var looks: Bool { outcome == .refused || checks.contains { !$0.isOutcome } }

    /// Whether a refusal for another reason than the expected one fails the step.
    var namesReason: Bool { checks.contains { $0.subject.namesReason && $0.value != Subject.nothing } }
}

extension Expectation.Check {
    var isOutcome: Bool { subject.name == Expectation.Subject.outcome.name }
}
