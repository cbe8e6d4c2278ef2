internal import RelyingParty
internal import WebAuthn

extension Ledger {
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
