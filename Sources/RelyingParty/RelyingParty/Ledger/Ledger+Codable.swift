internal import WebAuthn

extension Ledger: Codable {
    private enum CodingKeys: String, CodingKey {
        case accepted, steps
    }

    /// Reads the form ``encode(to:)`` writes; `accepted` is computed anew.
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

    private enum Name: String, Codable {
        case passed, flagged, failed, notApplicable, notReached
    }

    /// Reads the form ``encode(to:)`` writes; title and clause follow from the step.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        step = try container.decode(VerificationStep.self, forKey: .step)
        outcome =
            switch try container.decode(Name.self, forKey: .outcome) {
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
        switch outcome {
        case .passed: try container.encode(Name.passed, forKey: .outcome)
        case .flagged(let reasons):
            try container.encode(Name.flagged, forKey: .outcome)
            try container.encode(reasons, forKey: .reasons)
        case .failed(let reasons):
            try container.encode(Name.failed, forKey: .outcome)
            try container.encode(reasons, forKey: .reasons)
        case .notApplicable(let explanation):
            try container.encode(Name.notApplicable, forKey: .outcome)
            try container.encode(explanation, forKey: .explanation)
        case .notReached: try container.encode(Name.notReached, forKey: .outcome)
        }
    }
}
