internal import GRDB
internal import LoopbackHTTP
internal import RelyingParty
internal import WebAuthn

/// The signed-in user of a request.
struct SignedInUser: Sendable {
    let session: SessionRow
    let userID: Int64
    let account: AccountRow
    let now: Timestamp
}

extension AuthService {
    /// Runs an operation of a signed-in user in one transaction.
    func asUser<Result: Sendable>(
        _ token: SessionToken?, _ operation: @escaping @Sendable (SignedInUser, Database) throws -> Result
    ) async throws -> Result {
        let now = now
        return try await database.write { db in try operation(try caller(token, at: now, db), db) }
    }

    func caller(_ token: SessionToken?, at now: Timestamp, _ db: Database) throws -> SignedInUser {
        guard let session = try SessionRow.find(token: token, at: now, db), let userID = session.userId,
            let account = try AccountRow.fetchOne(db, key: userID)
        else { throw APIError.sessionRequired }
        return SignedInUser(session: session, userID: userID, account: account, now: now)
    }

    /// Refuses unless a passkey verified the session's user within the re-authentication window.
    func requireFresh(_ caller: SignedInUser) throws(APIError) {
        let isFresh = caller.session.isFresh(at: caller.now, window: configuration.reauthenticationWindow)
        guard isFresh else { throw .reauthenticationRequired }
    }

    /// Refuses to add a credential unless the session's user proved within the window to own the account.
    func requireRecent(_ caller: SignedInUser) throws(APIError) {
        let isRecent = caller.session.isRecent(at: caller.now, window: configuration.reauthenticationWindow)
        guard isRecent else { throw .reauthenticationRequired }
    }

    func session(_ token: SessionToken?) async throws -> SessionSummary {
        try await asUser(token) { caller, _ in summary(of: caller.session, caller.account, at: caller.now) }
    }

    func signOut(_ token: SessionToken?) async throws {
        try await asUser(token) { caller, db in
            _ = try caller.session.delete(db)
        }
    }

    /// Signs an account in under a new token, in the caller's session where it has one.
    func signIn(
        _ account: AccountRow, by authentication: SessionRow.Authentication, passkey: CredentialUpdate? = nil,
        replacing session: SessionRow?, at now: Timestamp, _ db: Database
    ) throws -> SignedIn {
        let token = newToken()
        let session = try SessionRow.signIn(
            account, by: authentication, passkey: passkey, replacing: session, token: token, at: now,
            lifetime: configuration.sessionLifetime, db)
        return SignedIn(token: token.text, session: summary(of: session, account, at: now))
    }

    func summary(of session: SessionRow, _ account: AccountRow, at now: Timestamp) -> SessionSummary {
        SessionSummary(
            user: UserSummary(
                userHandle: Base64URLBytes(account.userHandle.bytes), username: account.username,
                displayName: account.displayName,
                hasPassword: account.passwordHash != nil),
            authenticatedBy: session.authenticatedBy, createdAt: session.createdAt, expiresAt: session.expiresAt,
            reauthenticatedAt: session.reauthenticatedAt,
            isFresh: session.isFresh(at: now, window: configuration.reauthenticationWindow))
    }
}
