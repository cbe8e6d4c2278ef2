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
        var accounts: Set<String> = []
        for step in steps {
            if case .site(.createAccount(let name, let password)) = step.action {
                accounts.insert(name)
                if password != nil, party.hasExistingAccounts {
                    throw step.place.error(
                        "\(step.word): existing-accounts in the description of the relying party has the passwords; "
                            + "remove password")
                }
                if let obstacle = party.obstacle(toAccounts: accounts.count) {
                    throw step.place.error("\(step.word): \(obstacle) to the description of the relying party")
                }
            }
            if let obstacle = step.obstacle(at: party) { throw step.place.error("\(step.word): \(obstacle)") }
        }
    }
}

extension ScenarioStep {
    /// The reason the step cannot be played; nil when it can.
    fileprivate func obstacle(at party: ForeignParty) -> String? {
        switch action {
        case .site(let step): step.needsOwnParty ? Self.needsOwnParty : step.missing(at: party).map(Self.describes)
        // A server of another program has a clock of its own, and nothing else of a scenario follows the shown time.
        case .service, .app, .setClockBack: Self.needsOwnParty
        case .ceremony(let step): step.obstacle(at: party)
        case .page(let step): step.needsOwnParty ? Self.needsOwnParty : step.missing(at: party).map(Self.describes)
        case .device, .wait, .check: nil
        }
    }

    private static func describes(_ key: String) -> String {
        "the description of the relying party has no \(key); add it there, or remove the step"
    }

    private static let needsOwnParty =
        "this needs touchstone's own relying party; remove the step, or play without --relying-party"
}

extension SiteStep {
    fileprivate var needsOwnParty: Bool {
        switch self {
        case .createAccount, .signOut, .useSession, .listPasskeys, .deletePasskey: false
        case .request, .restartServer, .slowServer, .failingServer: true
        }
    }

    /// The key that a description needs for the step, and that is missing; nil for none.
    fileprivate func missing(at party: ForeignParty) -> String? {
        switch self {
        case .listPasskeys: party.passkeys == nil ? "passkeys" : nil
        case .deletePasskey: party.passkeys?.delete == nil ? "passkeys.delete" : nil
        case .createAccount, .signOut, .useSession, .request, .restartServer, .slowServer, .failingServer: nil
        }
    }
}

extension PageStep {
    fileprivate var needsOwnParty: Bool {
        switch self {
        case .conditionalMediation, .abort, .signal: false
        case .conditionalRequest(_, let account, _), .pick(let account): account != nil
        }
    }

    fileprivate func missing(at party: ForeignParty) -> String? {
        if case .signal(.acceptedCredentials, _) = self, party.passkeys == nil { "passkeys" } else { nil }
    }
}

extension CeremonyStep {
    fileprivate func obstacle(at party: ForeignParty) -> String? {
        guard let ceremony = party.ceremony(kind) else {
            return "the description of the relying party has no reauthentication; add it there, or remove the step"
        }
        guard let missing = party.missingPlaceholder(for: requirements, in: ceremony) else { return nil }
        return "the description of the relying party does not pass this value on; write {\(missing.rawValue)} into the "
            + "request that begins it"
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
