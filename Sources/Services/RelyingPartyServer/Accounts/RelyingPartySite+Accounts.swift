package import GRDB
package import Hummingbird
internal import LoopbackHTTP
package import WebAuthn

/// An account of a relying party server, as a further service sees it.
package struct RelyingPartyAccount: Hashable, Sendable {
    package let id: Int64
    package let username: String
    package let displayName: String
    /// The stored hash of the password: another one is a sign that the password has changed since.
    let passwordHash: String?
    package var hasPassword: Bool { passwordHash != nil }

    init(_ account: AccountRow) throws {
        guard let id = account.id else { throw APIError.internalError }
        self.id = id
        username = account.username
        displayName = account.displayName
        passwordHash = account.passwordHash
    }
}

extension RelyingPartySite {
    /// The account with this user name; a new one has no password.
    ///
    /// - Throws: `username.invalid` and `displayName.invalid`.
    package func account(named username: String, displayName: String, _ db: Database) throws -> RelyingPartyAccount {
        let username = try Label.username(username)
        if let account = try AccountRow.find(username: username, db) { return try RelyingPartyAccount(account) }
        guard let displayName = Label.validated(displayName) else { throw APIError.displayNameInvalid }
        return try RelyingPartyAccount(
            try AccountRow(
                username: username, displayName: displayName, userHandle: configuration.random(32), passwordHash: nil,
                createdAt: service.now
            ).inserted(db))
    }

    /// Removes an account's password, passkeys and sessions: another user may have made them before the owner of the address
    /// proved it.
    package func removeAccess(toAccount id: Int64, _ db: Database) throws {
        try db.execute(sql: "UPDATE users SET password_hash = NULL WHERE id = ?", arguments: [id])
        for table in ["passkey_credentials", "sessions"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE user_id = ?", arguments: [id])
        }
    }

    /// Sets the password of an account whose owner another service has recognised, and ends the account's sessions.
    ///
    /// - Parameter change: a change of the service's own tables, in the same transaction.
    /// - Throws: `password.invalid`.
    package func replacePassword<Result: Sendable>(
        with password: String, ofAccount id: Int64, _ change: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        let hash = try await service.hashed(password)
        let limits = configuration.attemptLimits
        return try await database.write { db in
            let result = try change(db)
            guard var account = try AccountRow.find(id: id, db) else { throw APIError.sessionRequired }
            account.passwordHash = hash
            try account.update(db)
            try db.execute(sql: "DELETE FROM sessions WHERE user_id = ?", arguments: [id])
            try PasswordAttempts(limits: limits, username: account.username, address: nil).succeed(db)
            return result
        }
    }

    /// Whether an account's password is still the one that it had when the account was read.
    package func isPasswordCurrent(_ account: RelyingPartyAccount, _ db: Database) throws -> Bool {
        try AccountRow.find(id: account.id, db)?.passwordHash == account.passwordHash
    }

    package func hasPassword(accountID: Int64, _ db: Database) throws -> Bool {
        try AccountRow.find(id: accountID, db)?.passwordHash != nil
    }

    /// The time at which an account was made; nil for an unknown one.
    package func creation(ofAccount id: Int64, _ db: Database) throws -> Timestamp? {
        try AccountRow.find(id: id, db)?.createdAt
    }

    package func existingAccount(named username: String, _ db: Database) throws -> RelyingPartyAccount? {
        try AccountRow.find(username: username, db).map { try RelyingPartyAccount($0) }
    }

    /// - Parameter address: the client's address, whose attempts are counted.
    /// - Throws: `signIn.refused` and `attempts.tooMany`.
    package func checkPassword(
        _ password: String, of username: String, address: String?
    ) async throws -> RelyingPartyAccount {
        let request = PasswordSignInRequest(username: username, password: password)
        return try await service.withPassword(request, address: address) { account, _, _ in
            try RelyingPartyAccount(account)
        }
    }

    /// Opens a session of the relying party for an account that another service has authenticated; returns its token.
    ///
    /// - Parameters:
    ///   - authenticatedAt: the time from which a passkey may be added for a while.
    ///   - isVerified: whether a passkey verified the user then, so that one may be removed for a while.
    package func openSession(
        accountID: Int64, authenticatedAt: Timestamp, isVerified: Bool = false
    ) async throws -> String {
        let token = service.newToken()
        let lifetime = configuration.sessionLifetime
        let now = service.now
        return try await database.write { db in
            guard let account = try AccountRow.find(id: accountID, db) else { throw APIError.sessionRequired }
            var session = try SessionRow.signIn(
                account, by: .enrolment, passkey: nil, replacing: nil, token: token, at: now, lifetime: lifetime, db)
            session.createdAt = authenticatedAt
            session.reauthenticatedAt = isVerified ? authenticatedAt : nil
            try session.update(db)
            return token.text
        }
    }

    /// Signs in an account that another service has authenticated; the browser's old session ends.
    package func signIn(accountID: Int64, in response: inout Response, to request: Request) async throws {
        let (now, old) = (service.now, request.sessionToken)
        let signedIn = try await database.write { [service] db in
            guard let account = try AccountRow.find(id: accountID, db) else { throw APIError.sessionRequired }
            return try service.signIn(
                account, by: .enrolment, replacing: try SessionRow.find(token: old, at: now, db), at: now, db)
        }
        response.setCookie(
            SessionCookie.carrying(
                signedIn.token, lifetime: configuration.sessionLifetime, to: request, service.origins))
    }

    /// Issues the options of a sign-in, and the token that its response comes back with.
    package func beginSignIn(username: String? = nil) async throws -> (options: RequestOptions, token: String) {
        let begun = try await service.beginAuthentication(AuthenticationRequest(username: username), token: nil)
        guard let token = begun.newToken else { throw APIError.internalError }
        return (begun.options, token.text)
    }

    package struct VerifiedSignIn: Sendable {
        package let account: RelyingPartyAccount
        package let credentialID: [UInt8]
        package let isUserVerified: Bool
    }

    /// - Throws: `authentication.refused`, with the failed step.
    package func completeSignIn(json: [UInt8], token: String) async throws -> VerifiedSignIn {
        let body = try JSONBody.ceremony(AuthenticationResponse.self, insteadOf: RegistrationResponse.self, from: json)
        guard case .signedIn(let signedIn) = try await service.completeAuthentication(body, token: SessionToken(token))
        else { throw APIError.sessionRequired }
        let now = service.now
        return try await database.write { db in
            let session = SessionToken(signedIn.token)
            let caller = try service.caller(session, at: now, db)
            // Only the sign-in counts: the service opens a session of its own.
            try caller.session.delete(db)
            return VerifiedSignIn(
                account: try RelyingPartyAccount(caller.account), credentialID: body.response?.rawId.bytes ?? [],
                isUserVerified: caller.session.reauthenticatedAt != nil)
        }
    }
}
