internal import GRDB
package import SimulatedDevice

/// Reads a state file without changing it, also while a device uses it.
package struct StoreReader: Sendable {
    /// The file's contents that need no passphrase.
    package let summary: DeviceStoreSummary
    private let metadata: StoreMetadata
    private let queue: DatabaseQueue
    private let path: String

    /// Opens a file; throws when it cannot be read or is not a state file.
    package init(_ path: String) throws(DeviceStoreError) {
        guard try StoreFile.kind(of: path) == .store else { throw .missing(path: path) }
        let path = StoreFile.resolved(path)
        try StoreFile.checkCompanions(of: path)
        self.path = path
        (queue, metadata, summary) = try DeviceStoreError.naming(path) {
            let queue = try StoreConnection.openForReading(path)
            return try StoreConnection.readInTime(queue) { db in
                let metadata = try Self.metadata(db, path: path)
                return (queue, metadata, try DeviceStoreSummary(metadata, Records(db: db, seal: nil, path: path)))
            }
        }
    }

    /// Verifies that the file belongs to a device of a kind.
    package func requireState(of identity: DeviceIdentity) throws(DeviceStoreError) {
        try identity.requireCompatible(summary.identity, path: path)
    }

    /// The device's state; nil for a device without commits.
    ///
    /// - Parameter passphrase: opens a sealed file; must be nil for a file that is not sealed.
    package func content(passphrase: [UInt8]? = nil) throws(DeviceStoreError) -> StoredDevice? {
        try DeviceStoreError.naming(path) { try content(metadata.seal(passphrase: passphrase, path: path)) }
    }

    /// The device's state, for a file that is not sealed or has the passphrase of `store`; nil for a device without commits.
    package func content(sealedLike store: DeviceStore?) throws(DeviceStoreError) -> StoredDevice? {
        try DeviceStoreError.naming(path) {
            guard metadata.sealing != nil else { return try content(nil) }
            guard let seal = store?.seal else { throw DeviceStoreError.passphraseNeeded(path: path) }
            return try content(try metadata.accept(seal, path: path))
        }
    }

    private func content(_ seal: Seal?) throws -> StoredDevice? {
        try StoreConnection.readInTime(queue) { db in try Records(db: db, seal: seal, path: path).device() }
    }

    /// Verifies the file's tables, integrity and version, and reads its metadata.
    static func metadata(_ db: Database, path: String) throws -> StoreMetadata {
        // First: a statement about a view or a table with a trigger runs its author's text.
        let form = try StoreSchema.form(of: db)
        guard form != .later else { throw DeviceStoreError.newerVersion(path: path) }
        guard form == .own else {
            throw DeviceStoreError.corrupted(path: path, detail: "its tables are not those of a state file")
        }
        let complaints = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
        guard complaints == ["ok"] else {
            throw DeviceStoreError.corrupted(path: path, detail: complaints.joined(separator: "; "))
        }
        guard let metadata = try StoreMetadata(db) else {
            throw DeviceStoreError.corrupted(path: path, detail: "its metadata is missing")
        }
        return metadata
    }
}

/// The contents of a state file without its secrets.
package struct DeviceStoreSummary: Hashable, Sendable {
    package let identity: DeviceIdentity
    /// The time the file was created, since the Unix epoch.
    package let createdAt: Duration
    package let isSealed: Bool
    /// Whether a device has committed a state.
    package let holdsState: Bool
    /// The highest value the global counter may have reached.
    package let globalCounter: UInt32
    package let credentialCount: Int
    package let relyingPartyCount: Int
    /// The number of counters of credentials that are sealed in their IDs.
    package let sealedCounterCount: Int
    /// The serialized large-blob array's length in bytes.
    package let largeBlobLength: Int
    /// The names of the apps' secrets, each prefixed with its app unless that is the default app.
    package let secretNames: [String]

    init(_ metadata: StoreMetadata, _ records: Records) throws {
        identity = metadata.identity
        createdAt = metadata.createdAt
        isSealed = metadata.sealing != nil
        func count(_ sql: String) throws -> Int { try Int.fetchOne(records.db, sql: sql) ?? 0 }
        holdsState = try count("SELECT count(settings) FROM state") > 0
        globalCounter = try UInt32.fetchOne(records.db, sql: "SELECT global_counter FROM state") ?? 0
        credentialCount = try count("SELECT count(*) FROM credentials")
        relyingPartyCount = try count("SELECT count(DISTINCT rp_id_hash) FROM credentials")
        sealedCounterCount = try count("SELECT count(*) FROM sealed_counters")
        largeBlobLength = try count("SELECT coalesce(length(large_blobs), 0) FROM state")
        secretNames = try records.secretIDs().map(\.description)
    }
}
