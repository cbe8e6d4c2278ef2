internal import GRDB
internal import GRDBSQLite

/// The log of a state file, which holds commits until they are moved to the file.
enum WriteAheadLog {
    /// The pages after which SQLite moves the log's content.
    private static let pages = 256
    /// The bytes of one write: Linux may keep them in one large folio, and a commit that touches one takes longer.
    private static let chunkLength = 65_536

    /// Gives the log its size in advance.
    ///
    /// A commit to a log that grows also waits for the file's new size, which takes as long as its pages. SQLite ignores
    /// the zeros, which have no checksum. Without space for them the log grows with its commits.
    static func reserve(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
            let pageSize = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4096
            // A header of 32 bytes, and 24 bytes before each page (SQLite's file format, §4.1 and §4.2). The last commit
            // before the move may need some more pages.
            extend(logOf: db, to: 32 + (pages + 16) * (24 + pageSize))
        }
    }

    private static func extend(logOf db: Database, to length: Int) {
        var found: UnsafeMutablePointer<sqlite3_file>?
        // SQLite's own open file: a path could name another file by now.
        let status = withUnsafeMutablePointer(to: &found) {
            sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_JOURNAL_POINTER, $0)
        }
        guard status == SQLITE_OK, let file = found, let methods = file.pointee.pMethods else { return }
        var size: sqlite3_int64 = 0
        guard methods.pointee.xFileSize(file, &size) == SQLITE_OK else { return }
        let zeros = [UInt8](repeating: 0, count: chunkLength)
        while size < length {
            let count = min(zeros.count, length - Int(size))
            guard methods.pointee.xWrite(file, zeros, Int32(count), size) == SQLITE_OK else { return }
            size += sqlite3_int64(count)
        }
    }
}
