internal import GRDB
internal import LoopbackHTTP

extension APIError {
    /// The error of a database that cannot write; nil for another error.
    init?(storage error: any Error) {
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_FULL: self.init(507, "storage.full", "The disk is full; free some space, then try again.")
        case .SQLITE_READONLY, .SQLITE_IOERR, .SQLITE_CANTOPEN:
            self.init(
                507, "storage.unwritable", "The database cannot be written; check its disk and the rights to its file.")
        default: return nil
        }
    }
}
