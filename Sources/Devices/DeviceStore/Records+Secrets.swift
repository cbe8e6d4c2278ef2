internal import Foundation
internal import GRDB
internal import SimulatedDevice

/// Apps' secrets, the keys they are sealed under, and the device's life.
extension Records {
    // MARK: Writing

    func apply(_ change: SecretChange, _ db: Database) throws {
        if change.erasesEverything {
            try run(db, "DELETE FROM secrets", [])
            try run(db, "DELETE FROM vault", [])
            try run(db, "UPDATE state SET life = NULL", [])
        }
        for id in change.removedItems {
            try run(db, "DELETE FROM secrets WHERE app = ? AND name = ?", [id.app, id.name])
        }
        for id in change.destroyedKeys {
            try run(db, "DELETE FROM vault WHERE app = ? AND name = ?", [id.app, id.name])
        }
        for (id, item) in change.items {
            try run(
                db, "INSERT OR REPLACE INTO secrets (app, name, content) VALUES (?, ?, ?)",
                [id.app, id.name, Data(try seal.seal(item, as: .secret(id)))])
        }
        for (id, key) in change.keys {
            try run(
                db, "INSERT OR REPLACE INTO vault (app, name, key) VALUES (?, ?, ?)",
                [id.app, id.name, Data(try seal.seal(key, as: .key(id)))])
        }
        if let life = change.life {
            try run(db, "UPDATE state SET life = ?", [Data(try seal.seal(life, as: .life))])
        }
    }

    // MARK: Reading

    func secrets(_ db: Database, path: String) throws -> [SecretID: [UInt8]] {
        // A file opened for reading is not migrated and may lack the column.
        let app = try Self.hasApps(db) ? "app" : "'\(SecretID.defaultApp)' AS app"
        return try read("SELECT \(app), name, content AS value FROM secrets", db, path: path) { .secret($0) }
    }

    /// The IDs of all secrets; needs no passphrase.
    func secretIDs(_ db: Database) throws -> [SecretID] {
        let app = try Self.hasApps(db) ? "app" : "'\(SecretID.defaultApp)'"
        return try Row.fetchAll(db, sql: "SELECT \(app) AS app, name FROM secrets").compactMap { row in
            guard let app = row.value("app", String.self), let name = row.value("name", String.self) else { return nil }
            return SecretID(name, app: app)
        }.sorted()
    }

    func vault(_ db: Database, path: String) throws -> [SecretID: [UInt8]] {
        guard try Self.hasApps(db) else { return [:] }
        return try read("SELECT app, name, key AS value FROM vault", db, path: path) { .key($0) }
    }

    func life(_ db: Database, path: String) throws -> [UInt8]? {
        guard try Self.hasApps(db), let life = try Data.fetchOne(db, sql: "SELECT life FROM state") else { return nil }
        return try open(Array(life), as: .life, path: path)
    }

    static func hasApps(_ db: Database) throws -> Bool { try db.tableExists("vault") }

    private func read(
        _ sql: String, _ db: Database, path: String, _ record: (SecretID) -> Seal.Record
    ) throws -> [SecretID: [UInt8]] {
        var found: [SecretID: [UInt8]] = [:]
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            guard let app = row.value("app", String.self), let name = row.value("name", String.self),
                let value = row.value("value", Data.self)
            else { continue }
            let id = SecretID(name, app: app)
            found[id] = try open(Array(value), as: record(id), path: path)
        }
        return found
    }
}
