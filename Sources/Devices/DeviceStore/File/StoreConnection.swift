internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import Machine
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
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        guard access(folder, W_OK) == 0 else { return try openCopy(of: path) }
        do {
            let queue = try openForReading(path, isReadOnly: access(path, W_OK) != 0)
            try openFiles(of: queue)
            return queue
        } catch let error as DatabaseError where error.resultCode == .SQLITE_IOERR {
            // On a full disk SQLite cannot write the files beside the state file.
            return try openCopy(of: path)
        }
    }

    /// Makes SQLite open its files, which it does with the first read.
    private static func openFiles(of queue: DatabaseQueue) throws {
        _ = try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") }
    }

    private static func openForReading(_ path: String, isReadOnly: Bool) throws -> DatabaseQueue {
        try open(path, isReadOnly: isReadOnly) { db in try db.execute(sql: "PRAGMA query_only = ON") }
    }

    /// Opens a private copy of a file in a folder without write access or space: SQLite needs files beside a file with a log.
    private static func openCopy(of path: String) throws -> DatabaseQueue {
        let folder = TemporaryName.beside(FileManager.default.temporaryDirectory.appendingPathComponent("state").path)
        try PrivateDirectory.make(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = folder + "/state"
        for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
            try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
            guard chmod(copy + end, 0o600) == 0 else { throw FileProblem.last }
        }
        let queue = try openForReading(copy, isReadOnly: false)
        // An open file needs no name.
        try openFiles(of: queue)
        return queue
    }

    private static func open(
        _ path: String, isReadOnly: Bool, _ prepare: @escaping @Sendable (Database) throws -> Void
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "device"
        configuration.readonly = isReadOnly
        // A reader may hold a lock for a moment.
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            // Functions in a view or a trigger of another person's file have no effect.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
            try prepare(db)
        }
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The longest time that reading another person's file takes; a million credentials take a tenth.
    private static let longestReading = 10

    /// Reads a file that another person may have made; throws `SQLITE_INTERRUPT` after ``longestReading`` seconds.
    static func readInTime<Result>(_ queue: DatabaseQueue, _ read: (Database) throws -> Result) throws -> Result {
        try queue.read { db in
            // The deadline, in seconds since the start of the machine, travels in place of an address.
            let deadline = UnsafeMutableRawPointer(bitPattern: monotonicSeconds() + longestReading)
            sqlite3_progress_handler(
                db.sqliteConnection, 100_000, { StoreConnection.monotonicSeconds() > Int(bitPattern: $0) ? 1 : 0 },
                deadline)
            defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
            return try read(db)
        }
    }

    private static func monotonicSeconds() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return now.tv_sec
    }

    /// Creates a file with a device's identity and its state, if any.
    ///
    /// The file gets its name when it is complete, so that a crash leaves no partial file; the caller holds its lock.
    static func make(
        _ path: String, _ metadata: StoreMetadata, seal: Seal?, content: StoredDevice?
    ) throws(DeviceStoreError) {
        StoreFile.removeTemporaryFiles(of: path)
        let temporary = TemporaryName.beside(path)
        try StoreFile.makeEmpty(temporary)
        do {
            try DeviceStoreError.naming(path) {
                let queue = try open(temporary)
                try queue.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
                }
                try StoreSchema.migrator.migrate(queue)
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
            StoreFile.remove(temporary)
            throw error
        }
    }
}
