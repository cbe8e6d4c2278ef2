internal import GRDB
internal import LoopbackHTTP
internal import RelyingParty
internal import WebAuthn

/// The answer to an accepted authentication.
enum AuthenticationResult: Sendable {
    case signedIn(SignedIn)
    case reauthenticated(SessionSummary)
}

extension AuthService {
    /// Verifies an authentication's response; if every check passes, stores the credential's new state, and signs in or
    /// marks the session as fresh.
    ///
    /// Everything is one transaction, so that only one of two responses with the same counter is accepted.
    func completeAuthentication(
        _ body: CeremonyBody<AuthenticationResponse>, token: SessionToken?
    ) async throws -> AuthenticationResult {
        let now = now
        let (attempt, result) = try await database.write { db in
            let attempt = try judge(body, token: token, at: now, db)
            return (attempt, try accept(attempt, at: now, db))
        }
        let error: APIError? = result == nil ? .authenticationRefused(attempt.verdict.ledger.forCaller) : nil
        report(
            attempt.pending?.purpose == .reauthenticate ? .reauthentication : .signIn, attempt.verdict.ledger,
            error: error, success: 200, username: attempt.username, credentialID: body.response?.rawId.bytes)
        guard let result else { throw error ?? .internalError }
        return result
    }

    private struct AuthenticationAttempt: Sendable {
        let session: Session?
        let pending: PendingAuthentication?
        let passkey: Passkey?
        /// The passkey's owner.
        let owner: Account?
        let verdict: AuthenticationVerdict

        var username: String? { pending?.username ?? owner?.username }
    }

    private func judge(
        _ body: CeremonyBody<AuthenticationResponse>, token: SessionToken?, at now: Timestamp, _ db: Database
    ) throws -> AuthenticationAttempt {
        let session = try Session.find(token: token, at: now, db)
        let claim = try Challenge.claim(.authentication, session: session, stated: body.statedChallenge, at: now, db)
        let pending = try claim.challenge?.pending(PendingAuthentication.self)
        let passkey = try body.response.flatMap { try Passkey.find($0.rawId.bytes, db) }
        let expected = try expectedUser(pending, db)
        let owner = try passkey.flatMap { try Account.fetchOne(db, key: $0.userId) }
        var record = owner.flatMap { passkey?.record(of: $0) }
        if record == nil, let id = body.response?.rawId.bytes, case .known(let handle) = expected,
            let username = pending?.username, pending?.allowed.contains(Base64URLBytes(id)) == true
        {
            record = try decoys.record(
                id, for: username, userHandle: handle, relyingPartyID: configuration.relyingPartyID)
        }
        let expectation = AuthenticationExpectation(
            ceremony: ceremony(
                claim, userVerification: pending?.userVerification ?? configuration.userVerification.signIn),
            allowedCredentials: pending?.allowed.map(\.bytes) ?? [], user: expected,
            counterPolicy: configuration.counterPolicy)
        let verdict = AuthenticationVerifier().verify(json: body.json, expectation: expectation) { [record] _ in
            record
        }
        return AuthenticationAttempt(
            session: session, pending: pending, passkey: passkey, owner: owner, verdict: verdict)
    }

    /// The user expected in the response (WebAuthn L3 §7.2 step 6).
    private func expectedUser(_ pending: PendingAuthentication?, _ db: Database) throws -> ExpectedUser {
        guard let username = pending?.username else { return .unknown }
        return .known(try Account.find(username: username, db)?.userHandle.bytes ?? decoys.handle(for: username))
    }

    private func accept(
        _ attempt: AuthenticationAttempt, at now: Timestamp, _ db: Database
    ) throws -> AuthenticationResult? {
        guard let update = attempt.verdict.update, let passkey = attempt.passkey, let pending = attempt.pending,
            var session = attempt.session, let account = attempt.owner
        else { return nil }
        try passkey.apply(update, at: now, db)
        switch pending.purpose {
        case .signIn:
            return .signedIn(try signIn(account, by: .passkey, passkey: update, replacing: session, at: now, db))
        case .reauthenticate:
            // User presence alone does not verify the user.
            if update.userVerified {
                session.reauthenticatedAt = now
                try session.update(db)
            }
            return .reauthenticated(summary(of: session, account, at: now))
        }
    }
}

extension Ledger {
    /// The ledger without the steps that would tell a caller without the key about the account's authenticator, or
    /// that it has none (WebAuthn L3 §14.6.2).
    fileprivate var forCaller: Ledger {
        guard self[.signature] != .passed else { return self }
        return Ledger(
            entries: entries.map { entry in
                [.assertionBackup, .signatureCounter].contains(entry.step)
                    ? LedgerEntry(step: entry.step, outcome: .notReached) : entry
            })
    }
}
