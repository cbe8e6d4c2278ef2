internal import Foundation
internal import GRDB

/// Opens the harness's database.
enum HarnessDatabase {
    /// Opens a file in WAL mode, or a database in memory, and migrates its tables.
    static func open(path: String?) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.label = "harness"
        // Another process, such as a database shell, may hold the lock briefly.
        configuration.busyMode = .timeout(5)
        let writer: any DatabaseWriter =
            if let path {
                try DatabasePool(path: path, configuration: configuration)
            } else {
                try DatabaseQueue(configuration: configuration)
            }
        try Schema.migrator.migrate(writer)
        return writer
    }

    /// The secret with this name, created at its first use.
    static func secret(_ name: String, in writer: any DatabaseWriter, random: (Int) -> [UInt8]) throws -> [UInt8] {
        try writer.write { db in
            if let value = try Data.fetchOne(db, sql: "SELECT value FROM secrets WHERE name = ?", arguments: [name]) {
                return Array(value)
            }
            let value = random(32)
            try db.execute(
                sql: "INSERT INTO secrets (name, value) VALUES (?, ?)", arguments: [name, Data(value)])
            return value
        }
    }
}

extension Row {
    /// The bytes of a blob that is never null.
    func bytes(_ column: String) -> [UInt8] {
        let data: Data = self[column]
        return Array(data)
    }
}
