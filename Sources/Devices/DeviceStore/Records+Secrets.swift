internal import Foundation
internal import GRDB
internal import SimulatedDevice

/// Apps' secrets, the keys that seal them, and the state of screen, network and apps.
extension Records {
    /// A table with one value for each of the apps' secrets.
    enum SecretTable: String, CaseIterable {
        /// The secrets, sealed under their keys.
        case secrets
        /// The keys.
        case vault

        fileprivate var column: String { self == .secrets ? "content" : "key" }

        fileprivate func record(_ id: SecretID) -> Seal.Record { self == .secrets ? .secret(id) : .key(id) }
    }

    func apply(_ change: SecretChange) throws {
        if change.erasesEverything {
            for table in SecretTable.allCases { try run("DELETE FROM \(table.rawValue)") }
            try run("UPDATE state SET life = NULL")
        }
        try self.change(.secrets, removing: change.removedItems, keeping: change.items)
        try self.change(.vault, removing: change.destroyedKeys, keeping: change.keys)
        if let life = change.life { try db.run("UPDATE state SET life = ?", blobs: try sealed(life, as: .life)) }
    }

    private func change(_ table: SecretTable, removing ids: Set<SecretID>, keeping values: [SecretID: [UInt8]]) throws {
        for id in ids { try run("DELETE FROM \(table.rawValue) WHERE app = ? AND name = ?", [id.app, id.name]) }
        for (id, value) in values {
            try run(
                "INSERT OR REPLACE INTO \(table.rawValue) (app, name, \(table.column)) VALUES (?, ?, ?)",
                [id.app, id.name, Data(try sealed(value, as: table.record(id)))])
        }
    }

    func read(_ table: SecretTable) throws -> [SecretID: [UInt8]] {
        // A file opened for reading is not migrated: version 1 has no vault, and no apps.
        guard try table == .secrets || db.tableExists(table.rawValue) else { return [:] }
        let values = try rows("SELECT * FROM \(table.rawValue)") { row -> (SecretID, [UInt8])? in
            guard let id = SecretID(row), let value = row.bytes(table.column) else { return nil }
            return (id, try open(value, as: table.record(id)))
        }
        return Dictionary(values) { _, last in last }
    }

    /// The IDs of all secrets; needs no passphrase.
    func secretIDs() throws -> [SecretID] { try rows("SELECT * FROM secrets") { SecretID($0) }.sorted() }
}

extension SecretID {
    /// The ID in a row; in version 1 all secrets belong to the default app.
    fileprivate init?(_ row: Row) {
        guard let name = row.value("name", String.self) else { return nil }
        guard row.hasColumn("app") else {
            self.init(name)
            return
        }
        guard let app = row.value("app", String.self) else { return nil }
        self.init(name, app: app)
    }
}
