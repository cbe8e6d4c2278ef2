/// The result of a case.
package enum Verdict: String, Codable, CaseIterable, Sendable {
    case passed
    /// The subject deviates from a demand (must).
    case failed
    /// The subject deviates from a recommendation, or chose one of two allowed behaviours that tools should know of.
    case warning
    /// The demand does not concern the subject, by its declarations.
    case notApplicable = "not applicable"
    /// The run did not perform it; the reason says why.
    case notRun = "not run"
}

/// An end of a case before its last step.
package enum CaseStop: Error, Hashable, Sendable {
    /// The demand does not concern the subject, for this reason.
    case notApplicable(String)
    /// The case cannot be performed, for this reason.
    case notRun(String)
    /// The case cannot be performed, because the subject refuses a valid request, or answers it with nothing that can be read.
    case blocked(String)
    /// A deviation that is recorded already makes the next steps pointless.
    case deviation
}

/// A difference between the specification's demand and the observation.
package struct Deviation: Codable, Hashable, Sendable {
    package let expected: String
    package let seen: String
    /// The clause, where it is not the case's own.
    package let clause: Clause?
    package let level: Level
}

/// A message to the subject and its answer.
package struct CaseExchange: Codable, Hashable, Sendable {
    package let sent: [String]
    /// The answer in words; empty for none.
    package let received: [String]

    package init(sent: [String], received: [String]) {
        self.sent = sent
        self.received = received
    }
}

/// The result of a case with its evidence.
package struct CaseResult: Codable, Sendable {
    package let id: String
    package let verdict: Verdict
    /// Why it is not applicable or was not run.
    package let reason: String?
    /// Whether it was not run because a valid request has no success; nil otherwise.
    package var isBlocked: Bool?
    /// The act that brought the subject back to its usual state, after which the case was performed again; nil where it
    /// was performed once.
    package var restoration: String?
    package let deviations: [Deviation]
    /// The exchanges; kept for cases that failed or warn.
    package let exchanges: [CaseExchange]
    package let messages: Int
    package let seconds: Double
    /// The entry of the baseline that knows its failure; nil for none.
    package var known: KnownFailure?
}

/// An entry of a baseline, as reports of a run show it.
package struct KnownFailure: Codable, Hashable, Sendable {
    /// The baseline's file.
    package let file: String
    package let line: Int
    package let reason: String

    package var words: String { "known failure, \(file) line \(line): \(reason)" }
}

extension CaseResult {
    /// The sentence about a second performance; nil where there was none.
    package var repetition: String? {
        restoration.map { "performed again after \($0): a request that is known to be good had been refused" }
    }

    /// A case that the run did not reach.
    package init(id: String, notRun reason: String, isBlocked: Bool? = nil) {
        self.init(
            id: id, verdict: .notRun, reason: reason, isBlocked: isBlocked, restoration: nil, deviations: [],
            exchanges: [], messages: 0,
            seconds: 0)
    }
}
