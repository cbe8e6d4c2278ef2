internal import GRDB
internal import LoopbackHTTP

extension AuthService {
    /// The caller's passkeys, the oldest first.
    func passkeys(token: SessionToken?) async throws -> [PasskeySummary] {
        try await asUser(token) { caller, db in try caller.account.passkeys(as: PasskeySummary.self, db) }
    }

    /// Removes one of the caller's passkeys, unless it is the last credential, and ends the other sessions it opened.
    func deletePasskey(_ id: [UInt8], token: SessionToken?) async throws {
        try await asUser(token) { caller, db in
            let passkey = try ownPasskey(id, of: caller, db)
            if configuration.removal == .assertion { try requireFresh(caller) }
            // Counted in the deleting transaction, so that concurrent deletions cannot remove the last credential.
            let hasOther = try caller.account.passwordHash != nil || caller.account.passkeys(db).count > 1
            guard hasOther else { throw APIError.credentialLast }
            try passkey.delete(db)
            try caller.session.endOthers(where: Column("credential_id") == passkey.credentialId, db)
        }
    }

    func renamePasskey(_ id: [UInt8], to name: String, token: SessionToken?) async throws -> PasskeySummary? {
        try await asUser(token) { caller, db in
            var passkey = try ownPasskey(id, of: caller, db)
            passkey.deviceName = name
            try passkey.update(db)
            return try PasskeySummary.fetchOne(db, key: passkey.credentialId)
        }
    }

    private func ownPasskey(_ id: [UInt8], of caller: SignedInUser, _ db: Database) throws -> PasskeyRow {
        // Another user's passkey must look like one that does not exist.
        guard let passkey = try PasskeyRow.find(id, db), passkey.userId == caller.userID else {
            throw APIError.credentialNotFound
        }
        return passkey
    }
}
