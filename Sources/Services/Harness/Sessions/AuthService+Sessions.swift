internal import GRDB
internal import LoopbackHTTP

extension AuthService {
    /// The caller's session.
    func session(_ token: SessionToken?) async throws -> SessionSummary {
        let now = now
        return try await database.read { db in
            let (session, account) = try signedIn(token, at: now, db)
            return summary(of: session, account, at: now)
        }
    }

    /// Ends the caller's session.
    func signOut(_ token: SessionToken?) async throws {
        let now = now
        try await database.write { db in
            let (session, _) = try signedIn(token, at: now, db)
            try session.end(db)
        }
    }

    /// Signs an account in under a new token, in the caller's session where it has one.
    func signIn(
        _ account: Account, by authentication: Session.Authentication, replacing session: Session?,
        at now: Timestamp, _ db: Database
    ) throws -> SignedIn {
        let token = newToken()
        guard
            let session = try Session.signIn(
                account, by: authentication, replacing: session, token: token, at: now,
                lifetime: configuration.sessionLifetime, db)
        else { throw APIError.sessionRequired }
        return SignedIn(token: token.text, session: summary(of: session, account, at: now))
    }
}
