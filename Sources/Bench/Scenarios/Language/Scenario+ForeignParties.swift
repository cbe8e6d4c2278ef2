package import Documents
package import ForeignParties

extension Scenario {
    /// Checks, before anything runs, that every step can be played with a foreign relying party.
    ///
    /// - Throws: ``SourceError`` with the line of the first step that cannot be played, and the reason.
    package func checkPlayable(at party: ForeignParty) throws(SourceError) {
        if let place = relyingParty.place {
            throw place.error("relying-party sets policies of touchstone's own relying party; remove it for this one")
        }
        for step in steps {
            if let obstacle = step.obstacle(at: party) { throw step.place.error("\(step.word): \(obstacle)") }
        }
    }
}

extension ScenarioStep {
    /// The reason the step cannot be played; nil when it can.
    fileprivate func obstacle(at party: ForeignParty) -> String? {
        switch action {
        case .site(let step): step.needsOwnParty ? Self.needsOwnParty : nil
        case .service, .app: Self.needsOwnParty
        case .ceremony(let step): step.obstacle(at: party)
        case .page(let step): step.needsOwnParty ? Self.needsOwnParty : nil
        case .device, .wait, .check: nil
        }
    }

    private static let needsOwnParty =
        "this needs touchstone's own relying party; remove the step, or play without --relying-party"
}

extension SiteStep {
    fileprivate var needsOwnParty: Bool {
        switch self {
        case .createAccount, .signOut, .useSession: false
        case .listPasskeys, .deletePasskey, .request, .restartServer, .slowServer, .failingServer: true
        }
    }
}

extension PageStep {
    fileprivate var needsOwnParty: Bool {
        switch self {
        case .conditionalMediation, .abort: false
        case .conditionalRequest(_, let account, _), .pick(let account): account != nil
        case .signal(let signal, _):
            switch signal {
            case .acceptedCredentials: true
            case .unknownCredential, .userDetails: false
            }
        }
    }
}

extension CeremonyStep {
    fileprivate func obstacle(at party: ForeignParty) -> String? {
        guard let ceremony = party.ceremony(kind) else {
            return "\(party.file) describes no reauthentication; add it there, or remove the step"
        }
        guard let missing = party.missingPlaceholder(for: wishes, in: ceremony) else { return nil }
        return "\(party.file) does not pass this wish on; write {\(missing.rawValue)} into the request that begins it"
    }
}

extension Expectation.Subject {
    /// The reason this cannot be checked at a foreign relying party; nil when it can.
    func obstacle(at party: ForeignParty) -> String? {
        if concernsServices { return "the services belong to touchstone's own relying party" }
        switch name {
        case Self.ledger.name, Self.table.name: return "a foreign relying party does not show it"
        case Self.code.name where !party.tellsErrors: return "the description has no error"
        default: return nil
        }
    }
}
