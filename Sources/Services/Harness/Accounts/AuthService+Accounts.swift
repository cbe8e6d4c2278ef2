internal import Foundation
internal import GRDB
internal import LoopbackHTTP

extension AuthService {
    /// Creates an account and signs in to it.
    func createAccount(_ request: AccountRequest, token: SessionToken?) async throws -> SignedIn {
        guard let username = Label.validated(request.username), username == request.username,
            !username.contains(where: \.isWhitespace)
        else { throw APIError.usernameInvalid }
        guard let displayName = Label.validated(request.displayName) else { throw APIError.displayNameInvalid }
        let hash = try request.password.map(hashed)
        let handle = configuration.random(32)
        let now = now
        return try await database.write { db in
            try Session.purge(expiredBy: now, db)
            guard try Account.find(username: username, db) == nil else { throw APIError.usernameTaken }
            let account = try Account(
                username: username, displayName: displayName, userHandle: handle, passwordHash: hash, createdAt: now
            ).inserted(db)
            let session = try Session.find(token: token, at: now, db)
            return try signIn(account, by: .enrolment, replacing: session, at: now, db)
        }
    }

    /// Signs in with a password.
    func signIn(_ request: PasswordSignInRequest, token: SessionToken?) async throws -> SignedIn {
        let known = try await database.read { db in try Account.find(username: request.username, db) }
        // Unknown names are hashed as well, so that the time taken does not reveal them.
        let stored = try known?.passwordHash ?? unmatchableHash()
        let isRight =
            try PasswordHash.acceptedLengths.contains(request.password.utf8.count)
            && PasswordHash.matches(request.password, stored)
        let now = now
        return try await database.write { db in
            // The account is read again, because its password may have changed meanwhile.
            guard isRight, let id = known?.id, let account = try Account.fetchOne(db, key: id),
                account.passwordHash == stored
            else { throw APIError.signInRefused }
            let session = try Session.find(token: token, at: now, db)
            return try signIn(account, by: .password, replacing: session, at: now, db)
        }
    }

    /// Sets or changes the password; changing needs a fresh session or the current password.
    func setPassword(_ request: PasswordChangeRequest, token: SessionToken?) async throws {
        let stored = try await asUser(token) { caller, _ in caller.account.passwordHash }
        // Hashing takes tens of milliseconds, so it happens outside the transactions.
        let knowsCurrent = try stored.flatMap { stored in
            try request.currentPassword.map { try PasswordHash.matches($0, stored) }
        }
        let hash = try hashed(request.password)
        try await asUser(token) { [knowsCurrent] caller, db in
            guard caller.account.passwordHash == stored else { throw APIError.reauthenticationRequired }
            if stored != nil, knowsCurrent != true { try requireFresh(caller) }
            var account = caller.account
            account.passwordHash = hash
            try account.update(db)
        }
    }

    /// Removes the password, unless it is the only credential.
    func deletePassword(token: SessionToken?) async throws {
        try await asUser(token) { caller, db in
            var account = caller.account
            guard account.passwordHash != nil else { throw APIError.passwordNotSet }
            // Without a passkey the password is the last credential, and re-authentication is impossible.
            guard try !account.passkeys(db).isEmpty else { throw APIError.credentialLast }
            try requireFresh(caller)
            account.passwordHash = nil
            try account.update(db)
        }
    }

    private func hashed(_ password: String) throws -> String {
        guard PasswordHash.acceptedLengths.contains(password.utf8.count) else { throw APIError.passwordInvalid }
        return try PasswordHash.make(password, cost: configuration.passwordCost, salt: configuration.random(16))
    }

    /// A hash at the configured cost that no password matches.
    private func unmatchableHash() throws -> String {
        let cost = configuration.passwordCost
        let filler = String(repeating: "A", count: 43)
        return "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(filler)$\(filler)"
    }
}
