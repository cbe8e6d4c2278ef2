internal import GRDB
package import SimulatedDevice
internal import Synchronization
package import VirtualAuthenticator

/// A device's state in one SQLite file (write-ahead log), which one process at a time may use.
///
/// A commit is one transaction, on the disk when it returns. The file, and what SQLite keeps beside it, belong to
/// their owner only; with a passphrase private keys, accounts, settings and app secrets are sealed as well.
package final class DeviceStore: DeviceStorage {
    /// What a commit survives.
    package enum Durability: String, Sendable, CaseIterable {
        /// The loss of power: it waits for the disk (`synchronous = FULL`).
        case full
        /// The end of the process at any instant, but not of the machine (`synchronous = NORMAL`).
        case normal
    }

    /// The file.
    package let path: String
    /// What kind of device it belongs to.
    package let identity: DeviceIdentity
    /// When the file was made, since the Unix epoch.
    package let createdAt: Duration
    /// Whether its secrets are sealed with a passphrase.
    package var isSealed: Bool { seal != nil }

    let queue: DatabaseQueue
    let seal: Seal?
    /// What others in this process and elsewhere are told, until the file is closed.
    private let claim: Mutex<(StoreLock, OpenFile)?>

    private init(
        path: String, metadata: StoreMetadata, queue: DatabaseQueue, seal: Seal?, lock: StoreLock
    ) {
        self.path = path
        identity = metadata.identity
        createdAt = metadata.createdAt
        self.queue = queue
        self.seal = seal
        claim = Mutex((lock, OpenFile(path)))
    }

    /// Opens a device's file, or makes one where there is none, or an empty one.
    ///
    /// - Parameters:
    ///   - createdAt: the time, since the Unix epoch, for a file that is made.
    ///   - passphrase: seals a new file; needed for, and only for, one that is sealed.
    ///   - cost: the cost of guessing it, for a file that is made.
    /// - Throws: ``DeviceStoreError``; a file that is something else stays as it was.
    package static func openOrCreate(
        at path: String, for identity: DeviceIdentity, createdAt: Duration, passphrase: [UInt8]? = nil,
        cost: PassphraseCost = PassphraseCost(), durability: Durability = .full
    ) throws(DeviceStoreError) -> DeviceStore {
        guard try StoreFile.kind(of: path) != .store else {
            return try open(at: path, for: identity, passphrase: passphrase, durability: durability)
        }
        try StoreFile.prepareDirectory(of: path)
        let path = StoreFile.resolved(path)
        let lock = try StoreLock(for: path)
        let seal = try DeviceStoreError.naming(path) { try passphrase.map { try Seal(passphrase: $0, cost: cost) } }
        try make(path, identity, createdAt: createdAt, seal: seal, content: nil)
        return try open(path, lock: lock, for: identity, durability: durability) { _ in seal }
    }

    /// Opens a device's file.
    ///
    /// - Parameter identity: the device it must belong to; nil for any.
    /// - Throws: ``DeviceStoreError``; a file that is something else stays as it was.
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

    /// Makes a file that holds a device's whole state: a snapshot, which is a state file like any other.
    ///
    /// - Parameter original: the store of the device it was taken from; a sealed one's passphrase opens this one, too.
    /// - Throws: ``DeviceStoreError/exists(path:)``, or another error when it cannot be written.
    package static func writeSnapshot(
        _ content: StoredDevice, to path: String, for identity: DeviceIdentity, createdAt: Duration,
        sealedLike original: DeviceStore? = nil
    ) throws(DeviceStoreError) {
        // Whatever lies there, a snapshot does not take its place.
        guard try StoreFile.kind(of: path) != .store else { throw .exists(path: path) }
        try StoreFile.prepareDirectory(of: path)
        let path = StoreFile.resolved(path)
        let lock = try StoreLock(for: path)
        defer { withExtendedLifetime(lock) {} }
        try make(path, identity, createdAt: createdAt, seal: original?.seal, content: content)
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
        _ seal: (StoreMetadata) throws -> Seal?
    ) throws(DeviceStoreError) -> DeviceStore {
        try StoreFile.closeToOthers(path)
        return try DeviceStoreError.naming(path) {
            let queue = try StoreConnection.open(path, durability: durability)
            let metadata = try queue.read { db in try StoreReader.metadata(db, path: path) }
            try identity?.requireCompatible(metadata.identity, path: path)
            let seal = try seal(metadata)
            try Schema.migrator.migrate(queue)
            return DeviceStore(path: path, metadata: metadata, queue: queue, seal: seal, lock: lock)
        }
    }

    /// Writes a change in one transaction.
    ///
    /// - Throws: ``DeviceStoreError``; nothing of the change is written then.
    package func commit(_ change: StorageChange) throws {
        try DeviceStoreError.naming(path) {
            try queue.write { db in try Records(seal: seal).apply(change, db) }
        }
    }

    /// Everything the device remembered when it last committed; nil for a device that never did.
    ///
    /// - Throws: ``DeviceStoreError``.
    package func load() throws(DeviceStoreError) -> StoredDevice? {
        try DeviceStoreError.naming(path) {
            try queue.read { db in try StoreReader.content(db, seal: seal, path: path) }
        }
    }

    /// Writes what changed beside the authenticator in one transaction.
    ///
    /// - Throws: ``DeviceStoreError``; nothing of the change is written then.
    package func commit(_ change: SecretChange) throws {
        try DeviceStoreError.naming(path) {
            try queue.write { db in try Records(seal: seal).apply(change, db) }
        }
    }

    /// Closes the file, in one piece, and lets others open it; nothing can be committed any more.
    ///
    /// - Throws: ``DeviceStoreError``.
    package func close() throws(DeviceStoreError) {
        try DeviceStoreError.naming(path) { try queue.close() }
        claim.withLock { $0 = nil }
    }
}
