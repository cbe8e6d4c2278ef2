internal import CTAP
internal import Foundation
internal import GRDB
internal import SimulatedDevice
internal import VirtualAuthenticator

/// A device's state as rows: writes changes, reads the whole state.
struct Records: Sendable {
    let seal: Seal?

    // MARK: Writing

    func apply(_ change: StorageChange, _ db: Database) throws {
        if change.erasesEverything {
            try db.execute(
                sql: """
                    DELETE FROM credentials;
                    DELETE FROM sealed_counters;
                    UPDATE state SET settings = NULL, global_counter = 0, large_blobs = NULL;
                    """)
        }
        if let settings = change.settings {
            try run(db, "UPDATE state SET settings = ?", [Data(try seal.seal(settings, as: .settings))])
        }
        if let counter = change.globalCounter { try run(db, "UPDATE state SET global_counter = ?", [counter]) }
        if let blobs = change.largeBlobs { try run(db, "UPDATE state SET large_blobs = ?", [Data(blobs)]) }
        for id in change.removedCredentials { try run(db, "DELETE FROM credentials WHERE id = ?", [Data(id)]) }
        for (id, encoded) in change.credentials { try keep(id, encoded, db) }
        for (hash, value) in change.sealedCounters {
            try run(
                db, "INSERT OR REPLACE INTO sealed_counters (credential_hash, value) VALUES (?, ?)",
                [Data(hash), value])
        }
    }

    private func keep(_ id: [UInt8], _ encoded: [UInt8], _ db: Database) throws {
        try run(
            db,
            """
            INSERT INTO credentials (id, rp_id_hash, content) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET rp_id_hash = excluded.rp_id_hash, content = excluded.content
            """,
            [
                Data(id), StoredCredential.relyingPartyIDHash(encoded: encoded).map { Data($0) },
                Data(try seal.seal(encoded, as: .credential(id: id))),
            ])
    }

    /// Replaces the whole state.
    func write(_ content: StoredDevice, _ db: Database) throws {
        let stored = content.authenticator
        var change = StorageChange()
        change.erasesEverything = true
        change.settings = stored.settings
        change.globalCounter = stored.globalCounter
        change.sealedCounters = stored.sealedCounters
        change.largeBlobs = stored.largeBlobs
        try apply(change, db)
        for encoded in stored.credentials {
            guard let id = StoredCredential.id(encoded: encoded) else { continue }
            try keep(id, encoded, db)
        }
        var secrets = SecretChange()
        secrets.erasesEverything = true
        secrets.items = content.secrets
        secrets.keys = content.vault
        secrets.life = content.life
        try apply(secrets, db)
    }

    func run(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    // MARK: Reading

    /// The authenticator's state; nil for a device without commits.
    func authenticator(_ db: Database, path: String) throws -> StoredAuthenticator? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM state"),
            let settings = row.value("settings", Data.self), let counter = row.value("global_counter", UInt32.self)
        else { return nil }
        return StoredAuthenticator(
            settings: try open(Array(settings), as: .settings, path: path), globalCounter: counter,
            credentials: try credentials(db, path: path), sealedCounters: try sealedCounters(db),
            largeBlobs: row.value("large_blobs", Data.self).map { Array($0) } ?? SerializedLargeBlobArray.initial)
    }

    private func credentials(_ db: Database, path: String) throws -> [[UInt8]] {
        var credentials: [[UInt8]] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT id, content FROM credentials")
        while let row = try rows.next() {
            guard let id = row.value("id", Data.self), let content = row.value("content", Data.self) else { continue }
            credentials.append(try open(Array(content), as: .credential(id: Array(id)), path: path))
        }
        return credentials
    }

    private func sealedCounters(_ db: Database) throws -> [[UInt8]: UInt32] {
        var counters: [[UInt8]: UInt32] = [:]
        let rows = try Row.fetchCursor(db, sql: "SELECT credential_hash, value FROM sealed_counters")
        while let row = try rows.next() {
            guard let hash = row.value("credential_hash", Data.self) else { continue }
            counters[Array(hash)] = row.value("value", UInt32.self)
        }
        return counters
    }

    func open(_ stored: [UInt8], as record: Seal.Record, path: String) throws -> [UInt8] {
        guard let plaintext = seal.open(stored, as: record) else {
            throw DeviceStoreError.corrupted(path: path, detail: "a record was changed after it was sealed")
        }
        return plaintext
    }
}
