internal import Foundation
internal import GRDB
internal import SimulatedDevice

/// SQLite's configuration for a state file.
enum StoreConnection {
    /// Opens an existing file for its device.
    static func open(_ path: String, durability: DeviceStore.Durability = .full) throws -> DatabaseQueue {
        try open(path, isReadOnly: false) { db in
            try db.execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
            // Overwrites deleted private keys.
            try db.execute(sql: "PRAGMA secure_delete = ON")
        }
    }

    /// Opens an existing file for reading.
    ///
    /// The connection is read-only only when the file is: a read-only connection leaves SQLite's shared memory behind.
    static func openForReading(_ path: String) throws -> DatabaseQueue {
        try open(path, isReadOnly: access(path, W_OK) != 0) { db in try db.execute(sql: "PRAGMA query_only = ON") }
    }

    private static func open(
        _ path: String, isReadOnly: Bool, _ prepare: @escaping @Sendable (Database) throws -> Void
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "device"
        configuration.readonly = isReadOnly
        // A reader may hold a lock for a moment.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase(prepare)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Creates a file with a device's identity and its state, if any.
    ///
    /// The file gets its name when it is complete, so that a crash leaves no partial file.
    ///
    /// The caller holds the file's lock.
    static func make(
        _ path: String, _ metadata: StoreMetadata, seal: Seal?, content: StoredDevice?
    ) throws(DeviceStoreError) {
        let temporary = path + "-new"
        StoreFile.removeTemporaryFiles(temporary)
        try StoreFile.makeEmpty(temporary)
        do {
            try DeviceStoreError.naming(path) {
                let queue = try open(temporary)
                try queue.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
                }
                try Schema.migrator.migrate(queue)
                try queue.write { db in
                    try metadata.insert(db)
                    if let content { try Records(db: db, seal: seal, path: path).write(content) }
                }
                // Last, so that no log is left beside the temporary file.
                try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
                try queue.close()
            }
            try StoreFile.publish(temporary, as: path)
        } catch {
            StoreFile.removeTemporaryFiles(temporary)
            throw error
        }
    }
}
