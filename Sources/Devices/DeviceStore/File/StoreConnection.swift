internal import Foundation
internal import GRDB
internal import SimulatedDevice

/// How SQLite is set up for a state file.
enum StoreConnection {
    /// Opens a file that exists, for its device.
    static func open(_ path: String, durability: DeviceStore.Durability = .full) throws -> DatabaseQueue {
        try open(path, isReadOnly: false) { db in
            try db.execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
            // A deleted private key is overwritten, not just forgotten.
            try db.execute(sql: "PRAGMA secure_delete = ON")
        }
    }

    /// Opens a file that exists, for somebody who only looks.
    ///
    /// Where the file can be written SQLite may, too: whoever cannot leaves its shared memory behind.
    static func openForReading(_ path: String) throws -> DatabaseQueue {
        try open(path, isReadOnly: access(path, W_OK) != 0) { db in try db.execute(sql: "PRAGMA query_only = ON") }
    }

    private static func open(
        _ path: String, isReadOnly: Bool, _ prepare: @escaping @Sendable (Database) throws -> Void
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "device"
        configuration.readonly = isReadOnly
        // Somebody who looks at the file may hold a lock for a moment.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase(prepare)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Makes a file that holds a device's identity, and its content if there is any, and gives it its name when it is
    /// complete: a crash meanwhile leaves no half of one.
    ///
    /// The caller holds the file's lock.
    static func make(
        _ path: String, _ metadata: StoreMetadata, seal: Seal?, content: StoredDevice?
    ) throws(DeviceStoreError) {
        let temporary = path + "-new"
        StoreFile.removeRemains(temporary)
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
                    if let content { try Records(seal: seal).write(content, db) }
                }
                // Last, so that everything is in the one file that gets the name.
                try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = WAL") }
                try queue.close()
            }
            try StoreFile.publish(temporary, as: path)
        } catch {
            StoreFile.removeRemains(temporary)
            throw error
        }
    }
}
