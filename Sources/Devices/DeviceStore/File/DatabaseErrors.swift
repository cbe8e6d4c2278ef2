internal import GRDB
internal import Machine

extension DeviceStoreError {
    init(_ error: any Error, path: String) {
        guard let error = error as? DatabaseError else {
            self = .inaccessible(path: path, detail: "\(error)")
            return
        }
        let detail = error.message ?? error.resultCode.description
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .notAStore(path: path)
        case .SQLITE_CORRUPT, .SQLITE_ERROR: self = .corrupted(path: path, detail: detail)
        case .SQLITE_INTERRUPT: self = .corrupted(path: path, detail: "reading it takes too long")
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse(path: path, processID: nil)
        case .SQLITE_IOERR where FreeSpace.isExhausted(at: path), .SQLITE_FULL:
            self = .inaccessible(path: path, detail: "the disk is full; free some space")
        default: self = .inaccessible(path: path, detail: detail)
        }
    }

    /// Runs work on a file; every error becomes a ``DeviceStoreError`` with its path.
    static func naming<Result>(_ path: String, _ work: () throws -> Result) throws(DeviceStoreError) -> Result {
        do {
            return try work()
        } catch let error as DeviceStoreError {
            throw error
        } catch {
            throw DeviceStoreError(error, path: path)
        }
    }
}
