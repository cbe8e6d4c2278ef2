internal import Foundation
internal import GRDB
internal import LoopbackHTTP
internal import Machine

extension AuthService {
    func createAccount(_ request: AccountRequest, token: SessionToken?) async throws -> SignedIn {
        let username = try Label.username(request.username)
        guard let displayName = Label.validated(request.displayName) else { throw APIError.displayNameInvalid }
        var hash: String?
        if let password = request.password { hash = try await hashed(password) }
        let handle = configuration.random(32)
        let now = now
        return try await database.write { [hash] db in
            try SessionRow.purge(expiredBy: now, db)
            guard try AccountRow.find(username: username, db) == nil else { throw APIError.usernameTaken }
            let account = try AccountRow(
                username: username, displayName: displayName, userHandle: handle, passwordHash: hash, createdAt: now
            ).inserted(db)
            let session = try SessionRow.find(token: token, at: now, db)
            return try signIn(account, by: .enrolment, replacing: session, at: now, db)
        }
    }

    func signIn(_ request: PasswordSignInRequest, token: SessionToken?, address: String?) async throws -> SignedIn {
        try await withPassword(request, address: address) { account, now, db in
            let session = try SessionRow.find(token: token, at: now, db)
            return try signIn(account, by: .password, replacing: session, at: now, db)
        }
    }

    /// Runs an operation on the account whose name and password a request states.
    func withPassword<Result: Sendable>(
        _ request: PasswordSignInRequest, address: String?,
        _ operation: @escaping @Sendable (AccountRow, Timestamp, Database) throws -> Result
    ) async throws -> Result {
        // No account has an invalid name.
        let username = (try? Label.username(request.username)) ?? request.username
        let now = now
        let attempts = PasswordAttempts(limits: configuration.attemptLimits, username: username, address: address)
        // Before the attempt counts.
        try hashing.requireRoom()
        let known = try await database.write { db in
            try attempts.begin(at: now, db)
            return try AccountRow.find(username: username, db)
        }
        // Unknown names are also hashed, so that the time taken does not reveal them.
        let stored = try known?.passwordHash ?? unmatchableHash()
        let isRight = try await matches(request.password, stored)
        // A hash of an earlier cost is renewed; where that fails, the next sign-in is another chance.
        let isOutdated = isRight && !PasswordHash.has(configuration.passwordCost, stored)
        let renewed = isOutdated ? try? await hashed(request.password) : nil
        return try await database.write { db in
            // The account is read again, because its password may have changed meanwhile.
            guard isRight, let id = known?.id, var account = try AccountRow.fetchOne(db, key: id),
                account.passwordHash == stored
            else { throw APIError.signInRefused }
            try attempts.succeed(db)
            if let renewed {
                account.passwordHash = renewed
                try account.update(db)
            }
            return try operation(account, now, db)
        }
    }

    /// A change needs a fresh session or the current password, and ends the user's other sessions.
    func setPassword(_ request: PasswordChangeRequest, token: SessionToken?, address: String?) async throws {
        let limits = configuration.attemptLimits
        let (stored, attempts) = try await asUser(token) { caller, db in
            let attempts = PasswordAttempts(limits: limits, username: caller.account.username, address: address)
            if caller.account.passwordHash != nil, request.currentPassword != nil {
                try attempts.begin(at: caller.now, db)
            }
            return (caller.account.passwordHash, attempts)
        }
        // Hashing takes a few tenths of a second, so it happens outside the transactions.
        var knowsCurrent = false
        if let stored, let current = request.currentPassword { knowsCurrent = try await matches(current, stored) }
        let hash = try await hashed(request.password)
        try await asUser(token) { [knowsCurrent] caller, db in
            guard caller.account.passwordHash == stored else { throw APIError.reauthenticationRequired }
            if knowsCurrent {
                try attempts.succeed(db)
            } else if stored == nil {
                try requireRecent(caller)
            } else {
                try requireFresh(caller)
            }
            try setPasswordHash(hash, of: caller, db)
            if stored != nil { try caller.session.endOthers(db) }
        }
    }

    /// Removes the password, unless it is the only credential, and ends the other sessions it opened.
    func deletePassword(token: SessionToken?) async throws {
        try await asUser(token) { caller, db in
            guard caller.account.passwordHash != nil else { throw APIError.passwordNotSet }
            // Without a passkey the password is the last credential, and re-authentication is impossible.
            guard try !caller.account.passkeys(db).isEmpty else { throw APIError.credentialLast }
            try requireFresh(caller)
            try setPasswordHash(nil, of: caller, db)
            try caller.session.endOthers(where: Column("authenticated_by") == SessionRow.Authentication.password, db)
        }
    }

    private func setPasswordHash(_ hash: String?, of caller: SignedInUser, _ db: Database) throws {
        var account = caller.account
        account.passwordHash = hash
        try account.update(db)
    }

    private func matches(_ password: String, _ stored: String) async throws -> Bool {
        guard PasswordHash.acceptedLengths.contains(password.utf8.count) else { return false }
        return try await hashing.run { try PasswordHash.matches(password, stored) }
    }

    func hashed(_ password: String) async throws -> String {
        guard PasswordHash.acceptedLengths.contains(password.utf8.count) else { throw APIError.passwordInvalid }
        let (cost, salt) = (configuration.passwordCost, configuration.random(16))
        return try await hashing.run { try PasswordHash.make(password, cost: cost, salt: salt) }
    }

    /// A hash at the configured cost that no password matches.
    private func unmatchableHash() throws -> String {
        let cost = configuration.passwordCost
        let filler = String(repeating: "A", count: 43)
        return "scrypt$\(cost.rounds)$\(cost.blockSize)$\(cost.parallelism)$\(filler)$\(filler)"
    }
}
