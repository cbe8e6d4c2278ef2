internal import Foundation
internal import GRDBSQLite

/// SQLite's view of an open file: the methods, the file's name, and behind them the system's own file.
private struct FileHeader {
    var methods: UnsafePointer<sqlite3_io_methods>?
    var name: UnsafePointer<CChar>?

    static let size = (MemoryLayout<FileHeader>.size + 15) / 16 * 16
}

private typealias File = UnsafeMutablePointer<sqlite3_file>

/// The system's file behind ours.
private func real(_ file: File?) -> File? {
    file.map { (UnsafeMutableRawPointer($0) + FileHeader.size).assumingMemoryBound(to: sqlite3_file.self) }
}

private func calls(_ file: File?) -> sqlite3_io_methods? { real(file)?.pointee.pMethods?.pointee }

private func effect(_ file: File?, _ error: Int32) -> FaultyDisk.Effect {
    let name = file.flatMap { UnsafeRawPointer($0).assumingMemoryBound(to: FileHeader.self).pointee.name }
    return FaultyDisk.effect(on: name.map { String(cString: $0) }, error: error)
}

// SQLite keeps pointers to the following for the life of the process; nothing changes them after their creation.

nonisolated(unsafe) private let system = sqlite3_vfs_find(nil)

nonisolated(unsafe) private let fileMethods: UnsafeMutablePointer<sqlite3_io_methods> = {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var methods = sqlite3_io_methods()
    // Version 2 has shared memory, which the write-ahead log needs, and no memory-mapped files.
    methods.iVersion = 2
    methods.xClose = { calls($0)?.xClose(real($0)) ?? SQLITE_IOERR }
    methods.xRead = { calls($0)?.xRead(real($0), $1, $2, $3) ?? SQLITE_IOERR }
    methods.xWrite = { file, bytes, count, offset in
        guard let write = calls(file)?.xWrite else { return SQLITE_IOERR }
        switch effect(file, SQLITE_IOERR | 3 << 8) {
        case .none: return write(real(file), bytes, count, offset)
        case .fails(let error): return error
        case .tears:
            _ = write(real(file), bytes, count / 2, offset)
            return SQLITE_IOERR | 3 << 8
        }
    }
    methods.xTruncate = { file, size in
        if case .none = effect(file, SQLITE_IOERR | 6 << 8) {
            return calls(file)?.xTruncate(real(file), size) ?? SQLITE_IOERR
        }
        return SQLITE_IOERR | 6 << 8
    }
    methods.xSync = { file, flags in
        if case .none = effect(file, SQLITE_IOERR | 4 << 8) {
            return calls(file)?.xSync(real(file), flags) ?? SQLITE_IOERR
        }
        return SQLITE_IOERR | 4 << 8
    }
    methods.xFileSize = { calls($0)?.xFileSize(real($0), $1) ?? SQLITE_IOERR }
    methods.xLock = { calls($0)?.xLock(real($0), $1) ?? SQLITE_IOERR }
    methods.xUnlock = { calls($0)?.xUnlock(real($0), $1) ?? SQLITE_IOERR }
    methods.xCheckReservedLock = { calls($0)?.xCheckReservedLock(real($0), $1) ?? SQLITE_IOERR }
    methods.xFileControl = { calls($0)?.xFileControl(real($0), $1, $2) ?? SQLITE_NOTFOUND }
    methods.xSectorSize = { calls($0)?.xSectorSize(real($0)) ?? 4096 }
    methods.xDeviceCharacteristics = { calls($0)?.xDeviceCharacteristics(real($0)) ?? 0 }
    methods.xShmMap = { file, region, size, extends, address in
        guard let map = calls(file)?.xShmMap else { return SQLITE_IOERR }
        // Shared memory is a file: it grows on the same disk.
        if extends != 0, case .none = effect(file, SQLITE_IOERR | 19 << 8) {
            return map(real(file), region, size, extends, address)
        }
        return extends == 0 ? map(real(file), region, size, extends, address) : SQLITE_IOERR | 19 << 8
    }
    methods.xShmLock = { calls($0)?.xShmLock(real($0), $1, $2, $3) ?? SQLITE_IOERR }
    methods.xShmBarrier = { calls($0)?.xShmBarrier(real($0)) }
    methods.xShmUnmap = { calls($0)?.xShmUnmap(real($0), $1) ?? SQLITE_IOERR }
    table.initialize(to: methods)
    return table
}()

nonisolated(unsafe) private let faulty: UnsafeMutablePointer<sqlite3_vfs>? = {
    guard let original = system else { return nil }
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // Everything but opening and deleting stays the system's, which finds its own data in the copy.
    vfs.initialize(to: original.pointee)
    vfs.pointee.zName = UnsafePointer(strdup("faulty"))
    vfs.pointee.szOsFile = Int32(FileHeader.size) + original.pointee.szOsFile
    vfs.pointee.xOpen = { _, name, file, flags, outFlags in
        guard let file else { return SQLITE_CANTOPEN }
        let status = system?.pointee.xOpen(system, name, real(file), flags, outFlags) ?? SQLITE_CANTOPEN
        // SQLite closes a file exactly when it has methods.
        let isOpen = real(file)?.pointee.pMethods != nil
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: FileHeader.self).pointee = FileHeader(
            methods: isOpen ? UnsafePointer(fileMethods) : nil, name: name)
        return status
    }
    vfs.pointee.xDelete = { _, name, syncs in
        if case .none = FaultyDisk.effect(on: name.map { String(cString: $0) }, error: SQLITE_IOERR) {
            return system?.pointee.xDelete(system, name, syncs) ?? SQLITE_IOERR
        }
        return SQLITE_IOERR | 10 << 8
    }
    return vfs
}()

extension FaultyDisk {
    /// Makes the disk the default of all connections that are opened from now on.
    static func register() {
        sqlite3_vfs_register(faulty, 1)
    }
}
