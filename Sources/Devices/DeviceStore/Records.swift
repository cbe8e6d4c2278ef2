internal import CTAP
internal import Foundation
internal import GRDB
internal import SimulatedDevice
internal import VirtualAuthenticator

/// A device's state as rows of an open file: writes changes, reads the whole state.
struct Records {
    let db: Database
    let seal: Seal?
    /// The file, for errors.
    let path: String

    // MARK: Writing

    func apply(_ change: StorageChange) throws {
        if change.erasesEverything {
            try run("DELETE FROM credentials")
            try run("DELETE FROM sealed_counters")
            try run("UPDATE state SET settings = NULL, global_counter = 0, large_blobs = NULL")
        }
        if let settings = change.settings {
            try db.run("UPDATE state SET settings = ?", blobs: try sealed(settings, as: .settings))
        }
        if let counter = change.globalCounter { try run("UPDATE state SET global_counter = ?", [counter]) }
        if let blobs = change.largeBlobs { try db.run("UPDATE state SET large_blobs = ?", blobs: blobs) }
        for id in change.removedCredentials { try db.run("DELETE FROM credentials WHERE id = ?", blobs: id) }
        for (id, credential) in change.credentials { try keep(id, credential) }
        for (hash, value) in change.sealedCounters {
            try run(
                "INSERT OR REPLACE INTO sealed_counters (credential_hash, value) VALUES (?, ?)", [Data(hash), value])
        }
    }

    private func keep(_ id: [UInt8], _ credential: EncodedCredential) throws {
        try db.run(
            """
            INSERT INTO credentials (id, rp_id_hash, content) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET rp_id_hash = excluded.rp_id_hash, content = excluded.content
            """,
            blobs: id, credential.relyingPartyIDHash, try sealed(credential.bytes, as: .credential(id: id)))
    }

    /// Replaces the whole state.
    func write(_ content: StoredDevice) throws {
        let stored = content.authenticator
        var change = StorageChange()
        change.erasesEverything = true
        change.settings = stored.settings
        change.globalCounter = stored.globalCounter
        change.sealedCounters = stored.sealedCounters
        change.largeBlobs = stored.largeBlobs
        try apply(change)
        for encoded in stored.credentials {
            guard let (id, credential) = EncodedCredential.reading(encoded) else { continue }
            try keep(id, credential)
        }
        var secrets = SecretChange()
        secrets.erasesEverything = true
        secrets.items = content.secrets
        secrets.keys = content.vault
        secrets.life = content.life
        try apply(secrets)
    }

    func run(_ sql: String, _ arguments: StatementArguments = []) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func sealed(_ plaintext: [UInt8], as record: Seal.Record) throws -> [UInt8] {
        try seal?.seal(plaintext, as: record) ?? plaintext
    }

    // MARK: Reading

    /// The whole state; nil for a device without commits.
    func device() throws -> StoredDevice? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM state") else {
            throw DeviceStoreError.corrupted(path: path, detail: "the row of the device's state is missing")
        }
        guard let settings = row.bytes("settings"), let counter = row.value("global_counter", UInt32.self)
        else { return nil }
        let authenticator = StoredAuthenticator(
            settings: try open(settings, as: .settings), globalCounter: counter, credentials: try credentials(),
            sealedCounters: try sealedCounters(),
            largeBlobs: row.bytes("large_blobs") ?? SerializedLargeBlobArray.initial)
        return StoredDevice(
            authenticator: authenticator, secrets: try read(.secrets), vault: try read(.vault),
            // A file opened for reading is not migrated and may lack the column.
            life: try row.bytes("life").map { try open($0, as: .life) })
    }

    private func credentials() throws -> [[UInt8]] {
        // The ID is part of the seal only.
        guard seal != nil else { return try rows("SELECT content FROM credentials") { $0.bytes("content") } }
        return try rows("SELECT id, content FROM credentials") { row in
            guard let id = row.bytes("id"), let content = row.bytes("content") else { return nil }
            return try open(content, as: .credential(id: id))
        }
    }

    private func sealedCounters() throws -> [[UInt8]: UInt32] {
        let counters = try rows("SELECT credential_hash, value FROM sealed_counters") { row in
            row.bytes("credential_hash").flatMap { hash in row.value("value", UInt32.self).map { (hash, $0) } }
        }
        return Dictionary(counters) { _, last in last }
    }

    /// The elements of a query's rows, without those that are damaged.
    func rows<Element>(_ sql: String, _ element: @escaping (Row) throws -> Element?) throws -> [Element] {
        try Array(Row.fetchCursor(db, sql: sql).compactMap(element))
    }

    func open(_ stored: [UInt8], as record: Seal.Record) throws -> [UInt8] {
        guard let seal else { return stored }
        guard let plaintext = seal.open(stored, as: record) else {
            throw DeviceStoreError.corrupted(path: path, detail: "a record was changed after it was sealed")
        }
        return plaintext
    }
}

extension StorageChange {
    var isOneStatement: Bool { !erasesEverything && valueCount == 1 }
}

extension Row {
    /// The value of a column; nil where it is null, missing or of another type, which GRDB's subscripts trap on.
    func value<Value: DatabaseValueConvertible>(_ column: String, _ type: Value.Type) -> Value? {
        (self[column] as DatabaseValue?).flatMap(Value.fromDatabaseValue)
    }

    /// The bytes of a column, copied once.
    func bytes(_ column: String) -> [UInt8]? { try? withUnsafeData(named: column) { $0.map { [UInt8]($0) } } }
}
