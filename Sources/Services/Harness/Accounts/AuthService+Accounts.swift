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
            guard
                let account = try Account.create(
                    username: username, displayName: displayName, handle: handle, passwordHash: hash, at: now, db)
            else { throw APIError.usernameTaken }
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
            guard isRight, let id = known?.id, let account = try Account.find(id, db), account.passwordHash == stored
            else { throw APIError.signInRefused }
            let session = try Session.find(token: token, at: now, db)
            return try signIn(account, by: .password, replacing: session, at: now, db)
        }
    }

    /// Sets or changes the password; changing needs a fresh session or the current password.
    func setPassword(_ request: PasswordChangeRequest, token: SessionToken?) async throws {
        let now = now
        let stored = try await database.read { db in try signedIn(token, at: now, db).1.passwordHash }
        let knowsCurrent = try stored.flatMap { stored in
            try request.currentPassword.map { try PasswordHash.matches($0, stored) }
        }
        let hash = try hashed(request.password)
        try await database.write { db in
            let (session, account) = try signedIn(token, at: now, db)
            guard account.passwordHash == stored else { throw APIError.reauthenticationRequired }
            if stored != nil, knowsCurrent != true { try requireFresh(session, at: now) }
            try account.setPasswordHash(hash, db)
        }
    }

    /// Removes the password, unless it is the only credential.
    func deletePassword(token: SessionToken?) async throws {
        let now = now
        try await database.write { db in
            let (session, account) = try signedIn(token, at: now, db)
            guard account.passwordHash != nil else { throw APIError.passwordNotSet }
            // Without a passkey the password is the last credential, and re-authentication is impossible.
            guard try Passkey.count(of: account.id, db) > 0 else { throw APIError.credentialLast }
            try requireFresh(session, at: now)
            try account.setPasswordHash(nil, db)
        }
    }

    /// Refuses unless the session's user was verified within the re-authentication window.
    func requireFresh(_ session: Session, at now: Timestamp) throws(APIError) {
        guard session.isFresh(at: now, window: configuration.reauthenticationWindow) else {
            throw .reauthenticationRequired
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
