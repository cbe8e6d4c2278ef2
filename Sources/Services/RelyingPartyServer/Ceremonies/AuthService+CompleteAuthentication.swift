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
    /// The verification runs between two transactions, so that requests do not wait for each other's signatures. Where
    /// another response changed the credential meanwhile, the response is judged again: only one of two responses with
    /// the same counter is accepted.
    func completeAuthentication(
        _ body: CeremonyBody<AuthenticationResponse>, token: SessionToken?
    ) async throws -> AuthenticationResult {
        let now = now
        var attempt = try await writes.write { [body] db in try claim(body, token: token, at: now, db) }
        var verdict = judge(body, attempt)
        var result: AuthenticationResult?
        while let update = verdict.update, let passkey = attempt.passkey {
            let acceptance = try await writes.write { [attempt] db in
                try accept(update, of: passkey, attempt, at: now, db)
            }
            if case .done(let accepted) = acceptance {
                result = accepted
                break
            }
            if case .changed(let current) = acceptance { attempt.passkey = current }
            verdict = judge(body, attempt)
        }
        let error: APIError? = result == nil ? .authenticationRefused(verdict.ledger.forCaller) : nil
        report(
            attempt.pending?.purpose == .reauthenticate ? .reauthentication : .signIn, verdict.ledger,
            error: error, success: 200, username: attempt.username, credentialID: body.response?.rawId.bytes)
        guard let result else { throw error ?? .internalError }
        return result
    }

    private struct AuthenticationAttempt: Sendable {
        let session: SessionRow?
        let claim: ClaimedChallenge
        let pending: PendingAuthentication?
        let expected: ExpectedUser
        let owner: AccountRow?
        var passkey: PasskeyRow?

        var username: String? { pending?.username ?? owner?.username }
    }

    /// Spends the challenge, and reads the values that the verification compares the response with.
    private func claim(
        _ body: CeremonyBody<AuthenticationResponse>, token: SessionToken?, at now: Timestamp, _ db: Database
    ) throws -> AuthenticationAttempt {
        let session = try SessionRow.find(token: token, at: now, db)
        let claim = try Challenge.claim(.authentication, session: session, stated: body.statedChallenge, at: now, db)
        let pending = try claim.challenge?.pending(PendingAuthentication.self)
        let passkey = try body.response.flatMap { try PasskeyRow.find($0.rawId.bytes, db) }
        return AuthenticationAttempt(
            session: session, claim: claim, pending: pending, expected: try expectedUser(pending, db),
            owner: try passkey.flatMap { try AccountRow.find(id: $0.userId, db) }, passkey: passkey)
    }

    private func judge(
        _ body: CeremonyBody<AuthenticationResponse>, _ attempt: AuthenticationAttempt
    ) -> AuthenticationVerdict {
        let expectation = AuthenticationExpectation(
            ceremony: ceremony(
                attempt.claim,
                userVerification: attempt.pending?.userVerification ?? configuration.userVerification.signIn),
            allowedCredentials: attempt.pending?.allowed.map(\.bytes) ?? [], user: attempt.expected,
            counterPolicy: configuration.counterPolicy, appID: configuration.appID)
        let verifier = AuthenticationVerifier()
        guard let response = body.response else {
            return verifier.verify(json: body.json, expectation: expectation) { _ in nil }
        }
        return verifier.verify(response, expectation: expectation) { _ in
            attempt.owner.flatMap { attempt.passkey?.record(of: $0) } ?? decoy(response.rawId.bytes, attempt)
        }
    }

    /// The record of a credential that was made up for an account without one.
    private func decoy(_ id: [UInt8], _ attempt: AuthenticationAttempt) -> CredentialRecord? {
        guard case .known(let handle) = attempt.expected, let pending = attempt.pending,
            let username = pending.username, pending.allowed.contains(Base64URLBytes(id))
        else { return nil }
        return try? decoys.record(id, for: username, userHandle: handle, relyingPartyID: configuration.relyingPartyID)
    }

    /// The user expected in the response (WebAuthn L3 §7.2 step 6).
    private func expectedUser(_ pending: PendingAuthentication?, _ db: Database) throws -> ExpectedUser {
        guard let username = pending?.username else { return .unknown }
        return .known(try AccountRow.find(username: username, db)?.userHandle.bytes ?? decoys.handle(for: username))
    }

    private enum Acceptance: Sendable {
        case done(AuthenticationResult)
        /// Another response changed the credential, or the user deleted it: its current state.
        case changed(PasskeyRow?)
    }

    private func accept(
        _ update: CredentialUpdate, of passkey: PasskeyRow, _ attempt: AuthenticationAttempt, at now: Timestamp,
        _ db: Database
    ) throws -> Acceptance {
        guard let account = attempt.owner, let former = attempt.session, let pending = attempt.pending
        else { throw APIError.sessionRequired }
        guard try passkey.apply(update, at: now, db) else {
            return .changed(try PasskeyRow.find(passkey.credentialId.bytes, db))
        }
        switch pending.purpose {
        case .signIn:
            let signedIn = try signIn(account, by: .passkey, passkey: update, replacing: former, at: now, db)
            return .done(.signedIn(signedIn))
        case .reauthenticate:
            guard var session = try SessionRow.find(id: former.id, db) else { throw APIError.sessionRequired }
            // User presence alone does not verify the user.
            if update.userVerified {
                session.reauthenticatedAt = now
                try session.update(db)
            }
            return .done(.reauthenticated(summary(of: session, account, at: now)))
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
