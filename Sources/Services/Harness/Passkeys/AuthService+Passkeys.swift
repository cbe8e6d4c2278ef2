internal import GRDB
internal import LoopbackHTTP

extension AuthService {
    /// The caller's passkeys, the oldest first.
    func passkeys(token: SessionToken?) async throws -> [PasskeySummary] {
        let now = now
        return try await database.read { db in
            let (_, account) = try signedIn(token, at: now, db)
            return try Passkey.all(of: account.id, db).map(PasskeySummary.init)
        }
    }

    /// Removes one of the caller's passkeys, unless it is the last credential.
    func deletePasskey(_ id: [UInt8], token: SessionToken?) async throws {
        let now = now
        try await database.write { db in
            let (session, account) = try signedIn(token, at: now, db)
            // Another user's passkey must look like one that does not exist.
            guard try Passkey.find(id, db)?.userID == account.id else { throw APIError.credentialNotFound }
            try requireFresh(session, at: now)
            // Counted in the deleting transaction, so that concurrent deletions cannot remove the last credential.
            guard try account.passwordHash != nil || Passkey.count(of: account.id, db) > 1 else {
                throw APIError.credentialLast
            }
            try Passkey.delete(id, db)
        }
    }
}
