internal import GRDB
internal import GRDBSQLite

extension Database {
    /// Runs a statement with blobs, without GRDB's binding, which adds a twentieth to the commit of one credential.
    func run(_ sql: String, blobs: [UInt8]...) throws {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, blob) in blobs.enumerated() {
            let status = blob.withUnsafeBytes {
                sqlite3_bind_blob(statement, CInt(index + 1), $0.baseAddress, CInt($0.count), Self.copied)
            }
            guard status == SQLITE_OK else { throw failure(status) }
        }
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure(sqlite3_extended_errcode(sqliteConnection)) }
    }

    private func failure(_ code: CInt) -> DatabaseError {
        DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
    }

    /// SQLite's mark for bytes that it copies (`SQLITE_TRANSIENT`).
    private static let copied = unsafeBitCast(OpaquePointer(bitPattern: -1), to: sqlite3_destructor_type.self)
}
