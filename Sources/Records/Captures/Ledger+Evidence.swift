internal import RelyingParty
internal import WebAuthn

extension Capture.Missing {
    /// The steps that need it.
    fileprivate var steps: Set<VerificationStep> {
        let ends: Set<VerificationStep> = [.credentialRecord, .updatedState, .stateRelease]
        switch self {
        case .challenge: return ends.union([.challenge, .assertionClientData])
        case .origin: return ends.union([.origin, .assertionClientData])
        case .relyingPartyID: return ends.union([.relyingPartyIDHash, .assertionAuthenticatorData])
        case .record: return ends.union([.knownUser, .userHandle])
        }
    }

    /// The reasons that its absence alone gives.
    fileprivate var reasons: Set<ReasonLabel> {
        switch self {
        case .challenge, .origin: []
        case .relyingPartyID: [.relyingPartyIDHashMismatch]
        case .record: [.credentialUnknown]
        }
    }
}

extension Ledger {
    /// The ledger, in which a step that needs missing knowledge is not reached; a step that fails for another reason stays.
    func lacking(_ missing: [Capture.Missing]) -> Ledger {
        Ledger(
            entries: entries.map { entry in
                let lacks = missing.filter { $0.steps.contains(entry.step) }
                guard !lacks.isEmpty else { return entry }
                if case .notApplicable = entry.outcome { return entry }
                let reasons = entry.outcome.refusals.filter { reason in
                    !lacks.contains { $0.reasons.contains(reason.label) }
                }
                return LedgerEntry(step: entry.step, outcome: reasons.isEmpty ? .notReached : .failed(reasons))
            })
    }

    /// The ledger with each passed step of which the file has no evidence as not applicable, with the reason.
    func without(evidenceOf missing: [VerificationStep: String]) -> Ledger {
        Ledger(
            entries: entries.map { entry in
                guard entry.outcome == .passed, let reason = missing[entry.step] else { return entry }
                return LedgerEntry(step: entry.step, outcome: .notApplicable(reason))
            })
    }
}

extension Capture {
    /// The steps of a registration that need a relying party's records or its session.
    static let stepsWithoutRegistration: [VerificationStep: String] = [
        .credentialIDUniqueness: "a file does not tell which credential IDs are registered",
        .account: "a file does not tell which account completes the registration",
    ]

    /// The steps of an authentication that compare with a member missing in the record, or with the session.
    var stepsWithoutRecord: [VerificationStep: String] {
        var steps: [VerificationStep: String] = [
            .knownUser: "a file does not tell which user was known before the ceremony"
        ]
        if settings.record?.userHandle == nil { steps[.userHandle] = "the record has no user handle" }
        return steps
    }
}
