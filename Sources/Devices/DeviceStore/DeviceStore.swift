internal import Foundation
internal import GRDB
package import Machine
package import SimulatedDevice
internal import Synchronization
package import VirtualAuthenticator

/// A device's state in one SQLite file (write-ahead log), which one process at a time may use.
///
/// A commit is one transaction, on disk when it returns. Only the owner can read the file and SQLite's files beside it.
/// With a passphrase, private keys, accounts, settings and app secrets are also sealed.
package final class DeviceStore: DeviceStorage {
    /// The event that a commit survives.
    package enum Durability: String, Sendable, CaseIterable {
        /// Loss of power: a commit waits for the disk (`synchronous = FULL`).
        case full
        /// The end of the process at any instant, but not loss of power (`synchronous = NORMAL`).
        case normal
    }

    package let path: String
    package let identity: DeviceIdentity
    /// The time the file was created, since the Unix epoch.
    package let createdAt: Duration
    package var isSealed: Bool { seal != nil }

    let queue: DatabaseQueue
    let seal: Seal?
    /// Excludes other users of the file, in this process and others, until the file is closed.
    private let claim: Mutex<(StoreLock, OpenFile)?>
    /// The directories made for the file, innermost first; nil for a file that existed before.
    private let madeDirectories: [String]?

    private init(
        path: String, metadata: StoreMetadata, queue: DatabaseQueue, seal: Seal?, claim: (StoreLock, OpenFile),
        madeDirectories: [String]?
    ) {
        self.path = path
        identity = metadata.identity
        createdAt = metadata.createdAt
        self.queue = queue
        self.seal = seal
        self.claim = Mutex(claim)
        self.madeDirectories = madeDirectories
    }

    /// Opens a device's file; creates it when it is missing or empty.
    ///
    /// - Parameters:
    ///   - createdAt: the creation time of a new file, since the Unix epoch.
    ///   - passphrase: seals a new file; opens a sealed one; must be nil for a file that is not sealed.
    ///   - cost: the cost of guessing the passphrase of a new file.
    package static func openOrCreate(
        at path: String, for identity: DeviceIdentity, createdAt: Duration, passphrase: [UInt8]? = nil,
        cost: ScryptCost = ScryptCost(), durability: Durability = .full
    ) throws(DeviceStoreError) -> DeviceStore {
        guard try StoreFile.kind(of: path) != .store else {
            return try open(at: path, for: identity, passphrase: passphrase, durability: durability)
        }
        let (path, lock, directories) = try lockNewFile(path)
        let seal = try DeviceStoreError.naming(path) { try passphrase.map { try Seal(passphrase: $0, cost: cost) } }
        try make(path, identity, createdAt: createdAt, seal: seal, content: nil)
        return try open(path, lock: lock, for: identity, durability: durability, made: directories) { _ in seal }
    }

    /// Opens a device's file.
    ///
    /// - Parameter identity: the device it must belong to; nil for any.
    package static func open(
        at path: String, for identity: DeviceIdentity? = nil, passphrase: [UInt8]? = nil,
        durability: Durability = .full
    ) throws(DeviceStoreError) -> DeviceStore {
        guard try StoreFile.kind(of: path) == .store else { throw .missing(path: path) }
        let path = StoreFile.resolved(path)
        let lock = try StoreLock(for: path)
        return try open(path, lock: lock, for: identity, durability: durability) { metadata in
            try metadata.seal(passphrase: passphrase, path: path)
        }
    }

    /// Creates a snapshot: an ordinary state file with a device's whole state.
    ///
    /// - Parameter original: the store of the device; a snapshot of a sealed store has the same passphrase.
    /// - Throws: ``DeviceStoreError/exists(path:)``, or another ``DeviceStoreError`` when the file cannot be written.
    package static func writeSnapshot(
        _ content: StoredDevice, to path: String, for identity: DeviceIdentity, createdAt: Duration,
        sealedLike original: DeviceStore? = nil
    ) throws(DeviceStoreError) {
        // A snapshot never replaces a file.
        guard try StoreFile.kind(of: path) != .store else { throw .exists(path: path) }
        let (path, lock, _) = try lockNewFile(path)
        defer { withExtendedLifetime(lock) {} }
        try make(path, identity, createdAt: createdAt, seal: original?.seal, content: content)
    }

    private static func lockNewFile(
        _ path: String
    ) throws(DeviceStoreError) -> (path: String, lock: StoreLock, madeDirectories: [String]) {
        let directories = try StoreFile.prepareDirectory(of: path)
        let path = StoreFile.resolved(path)
        return (path, try StoreLock(for: path), directories)
    }

    private static func make(
        _ path: String, _ identity: DeviceIdentity, createdAt: Duration, seal: Seal?, content: StoredDevice?
    ) throws(DeviceStoreError) {
        try StoreFile.removeEmpty(path)
        let metadata = try DeviceStoreError.naming(path) {
            try StoreMetadata(identity: identity, createdAt: createdAt, seal: seal)
        }
        try StoreConnection.make(path, metadata, seal: seal, content: content)
    }

    private static func open(
        _ path: String, lock: StoreLock, for identity: DeviceIdentity?, durability: Durability,
        made directories: [String]? = nil, _ seal: (StoreMetadata) throws -> Seal?
    ) throws(DeviceStoreError) -> DeviceStore {
        StoreFile.finishCreation(of: path)
        let file = try OpenFile(path)
        if try StoreFile.isOpenToOthers(path) { try checkContent(path) }
        try StoreFile.restrictAccess(path)
        return try DeviceStoreError.naming(path) {
            let queue = try StoreConnection.open(path, durability: durability)
            let metadata = try StoreConnection.readInTime(queue) { db in try StoreReader.metadata(db, path: path) }
            try identity?.requireCompatible(metadata.identity, path: path)
            let seal = try seal(metadata)
            try StoreSchema.migrator.migrate(queue)
            if durability == .full { try WriteAheadLog.reserve(queue) }
            return DeviceStore(
                path: path, metadata: metadata, queue: queue, seal: seal, claim: (lock, file),
                madeDirectories: directories)
        }
    }

    /// Reads a file whose mode will change: one that is refused keeps its mode.
    private static func checkContent(_ path: String) throws(DeviceStoreError) {
        try DeviceStoreError.naming(path) {
            let queue = try StoreConnection.openForReading(path)
            _ = try StoreConnection.readInTime(queue) { db in try StoreReader.metadata(db, path: path) }
            try queue.close()
        }
    }

    /// Writes a change in one transaction.
    package func commit(_ change: StorageChange) throws {
        try write(isOneStatement: change.isOneStatement) { try $0.apply(change) }
    }

    /// Writes a change outside the authenticator in one transaction.
    package func commit(_ change: SecretChange) throws { try write { try $0.apply(change) } }

    /// Writes a change; one statement is a transaction in itself, and BEGIN and COMMIT take a tenth of the time.
    private func write(isOneStatement: Bool = false, _ change: (Records) throws -> Void) throws(DeviceStoreError) {
        func work(_ db: Database) throws { try change(Records(db: db, seal: seal, path: path)) }
        try DeviceStoreError.naming(path) {
            if isOneStatement { try queue.writeWithoutTransaction(work) } else { try queue.write(work) }
        }
    }

    /// The state at the last commit; nil for a device without commits.
    package func load() throws(DeviceStoreError) -> StoredDevice? {
        try DeviceStoreError.naming(path) {
            try queue.read { db in try Records(db: db, seal: seal, path: path).device() }
        }
    }

    /// Merges the log into the file, closes it and releases it; later commits fail.
    package func close() throws(DeviceStoreError) {
        try DeviceStoreError.naming(path) { try queue.close() }
        claim.withLock { $0 = nil }
    }

    /// Closes the file of a device that did not start; if this store created it, removes it and its new directories.
    package func discard() {
        try? close()
        guard let madeDirectories else { return }
        StoreFile.remove(path)
        for directory in madeDirectories { rmdir(directory) }
    }
}
