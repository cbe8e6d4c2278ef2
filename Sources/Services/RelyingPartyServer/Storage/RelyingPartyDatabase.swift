internal import Foundation
package import GRDB
internal import Machine

/// Opens the server's database.
enum RelyingPartyDatabase {
    /// The reason why a file is not used as a database; it is unchanged.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    /// Opens a file in WAL mode, or a database in memory, and migrates its tables.
    ///
    /// - Throws: ``Unusable`` for a file that is anything but a relying party's database.
    static func open(path: String?, services: [DatabaseMigrator] = []) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.label = "server"
        // Another process, such as a database shell, may hold the lock briefly.
        configuration.busyMode = .timeout(5)
        // A checkpoint waits for the disk, and requests for it; by default every few dozen sign-ins.
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 10000; PRAGMA trusted_schema = OFF")
        }
        let migrators = [ServerSchema.migrator] + services
        guard let path else {
            let queue = try DatabaseQueue(configuration: configuration)
            try MigratedTables.copy(migrators, to: queue)
            return queue
        }
        let pool = try file(path, configuration)
        for migrator in migrators { try migrator.migrate(pool) }
        return pool
    }

    private static func file(_ path: String, _ configuration: Configuration) throws -> DatabasePool {
        do {
            // SQLite gives its files beside it the mode of the file.
            let descriptor = try OwnFile.open(path, creates: true)
            do {
                // Before SQLite opens the file for good: a close takes the locks of all the process's descriptors away.
                defer { close(descriptor) }
                if lseek(descriptor, 0, SEEK_END) > 0 { try check(path) }
                guard fchmod(descriptor, 0o600) == 0 else { throw FileProblem.last }
            }
            for name in OwnFile.companions(ofDatabase: path) { try OwnFile.restrictAccess(name) }
            return try DatabasePool(path: path, configuration: configuration)
        } catch let error as FileProblem {
            throw Unusable(description: "\(path) cannot be used: \(error)")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw Unusable(description: "\(path) cannot be used: \(FileProblem.otherContent("a database"))")
        }
    }

    /// Reads a file without writing to it: one that is refused stays as it is.
    ///
    /// A read-only connection would leave SQLite's files beside it.
    private static func check(_ path: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            // A view with the name of this table could have endless rows.
            guard try db.tableExists("grdb_migrations"), try !ServerSchema.migrator.appliedMigrations(db).isEmpty else {
                throw FileProblem.otherContent("the database of a relying party")
            }
            // A relying party makes neither. Those of another program could change its data.
            let foreign = try Row.fetchOne(
                db, sql: "SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')")
            if let foreign {
                let (type, name): (String, String) = (foreign["type"], foreign["name"])
                throw Unusable(description: "\(path) has the \(type) \"\(name)\"; drop the \(type), then start again")
            }
        }
        try queue.close()
    }

    /// The secret with this name, created at its first use.
    static func secret(_ name: String, in writer: any DatabaseWriter, random: (Int) -> [UInt8]) throws -> [UInt8] {
        try writer.write { db in
            if let value = try Data.fetchOne(db, sql: "SELECT value FROM secrets WHERE name = ?", arguments: [name]) {
                return Array(value)
            }
            let value = random(32)
            try db.execute(sql: "INSERT INTO secrets (name, value) VALUES (?, ?)", arguments: [name, Data(value)])
            return value
        }
    }
}

extension DatabaseReader {
    /// Reads the state of one moment.
    ///
    /// A database in memory has one connection, so nothing writes during a read. GRDB's `read` also makes the connection
    /// read-only and back. Each change makes SQLite prepare all statements again.
    package func snapshot<Value: Sendable>(_ value: @Sendable (Database) throws -> Value) async throws -> Value {
        if self is DatabaseQueue { try await unsafeRead(value) } else { try await read(value) }
    }

    /// Reads the state of one moment, and waits for it.
    func snapshot<Value>(_ value: (Database) throws -> Value) throws -> Value {
        if self is DatabaseQueue { try unsafeRead(value) } else { try read(value) }
    }
}

extension DatabaseWriter {
    /// Closes the database and deletes the log and the shared memory beside its file.
    func closeTidily() throws {
        // The last connection that closes deletes the files, and only a writing one can. GRDB closes that one first.
        (self as? DatabasePool)?.invalidateReadOnlyConnections()
        try close()
    }
}
