internal import WebAuthn

extension Ledger: Codable {
    private enum CodingKeys: String, CodingKey {
        case accepted, steps
    }

    /// Reads the form of ``encode(to:)``; `accepted` is computed from the steps.
    public init(from decoder: any Decoder) throws {
        entries = try decoder.container(keyedBy: CodingKeys.self).decode([LedgerEntry].self, forKey: .steps)
    }

    /// Writes `{"accepted": Bool, "steps": [entry]}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(isAccepted, forKey: .accepted)
        try container.encode(entries, forKey: .steps)
    }
}

extension LedgerEntry: Codable {
    private enum CodingKeys: String, CodingKey {
        case step, title, clause, outcome, reasons, explanation
    }

    /// Reads the form of ``encode(to:)``; title and clause follow from the step.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        step = try container.decode(VerificationStep.self, forKey: .step)
        outcome =
            switch try container.decode(LedgerOutcome.Name.self, forKey: .outcome) {
            case .passed: .passed
            case .flagged: .flagged(try container.decode([Reason].self, forKey: .reasons))
            case .failed: .failed(try container.decode([Reason].self, forKey: .reasons))
            case .notApplicable: .notApplicable(try container.decode(String.self, forKey: .explanation))
            case .notReached: .notReached
            }
    }

    /// Writes `{"step", "title", "clause", "outcome", "reasons"?, "explanation"?}`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(step, forKey: .step)
        try container.encode(step.title, forKey: .title)
        try container.encode(step.clause, forKey: .clause)
        try container.encode(outcome.name, forKey: .outcome)
        switch outcome {
        case .passed, .notReached: break
        case .flagged(let reasons), .failed(let reasons): try container.encode(reasons, forKey: .reasons)
        case .notApplicable(let explanation): try container.encode(explanation, forKey: .explanation)
        }
    }
}

extension LedgerOutcome {
    package enum Name: String, Codable {
        case passed, flagged, failed, notApplicable, notReached
    }

    package var name: Name {
        switch self {
        case .passed: .passed
        case .flagged: .flagged
        case .failed: .failed
        case .notApplicable: .notApplicable
        case .notReached: .notReached
        }
    }
}
