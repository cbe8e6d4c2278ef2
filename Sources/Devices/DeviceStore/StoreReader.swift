internal import GRDB
package import SimulatedDevice

/// Looks into a state file without changing it or keeping a device that uses it from working.
package struct StoreReader: Sendable {
    /// What the file holds, as far as no passphrase is needed to tell.
    package let summary: DeviceStoreSummary
    private let metadata: StoreMetadata
    private let queue: DatabaseQueue
    private let path: String

    /// Opens a file for reading.
    ///
    /// - Throws: ``DeviceStoreError`` when it cannot be read, or is no state file.
    package init(_ path: String) throws(DeviceStoreError) {
        guard try StoreFile.kind(of: path) == .store else { throw .missing(path: path) }
        self.path = path
        (queue, metadata, summary) = try DeviceStoreError.naming(path) {
            let queue = try StoreConnection.openForReading(path)
            return try queue.read { db in
                let metadata = try Self.metadata(db, path: path)
                return (queue, metadata, try DeviceStoreSummary(metadata, db))
            }
        }
    }

    /// Makes sure that the file belongs to a device of a kind.
    ///
    /// - Throws: ``DeviceStoreError/otherDevice(path:expected:found:)``.
    package func requireState(of identity: DeviceIdentity) throws(DeviceStoreError) {
        try identity.requireCompatible(summary.identity, path: path)
    }

    /// What the device remembered; nil for one that never committed anything.
    ///
    /// - Parameter passphrase: needed for, and only for, a file that is sealed.
    /// - Throws: ``DeviceStoreError``.
    package func content(passphrase: [UInt8]? = nil) throws(DeviceStoreError) -> StoredDevice? {
        try DeviceStoreError.naming(path) { try content(metadata.seal(passphrase: passphrase, path: path)) }
    }

    /// The same, for a file that is not sealed, or with the passphrase of `store`, as its snapshots are.
    ///
    /// - Throws: ``DeviceStoreError``.
    package func content(sealedLike store: DeviceStore?) throws(DeviceStoreError) -> StoredDevice? {
        try DeviceStoreError.naming(path) {
            guard metadata.sealing != nil else { return try content(nil) }
            guard let seal = store?.seal else { throw DeviceStoreError.passphraseNeeded(path: path) }
            return try content(try metadata.accept(seal, path: path))
        }
    }

    private func content(_ seal: Seal?) throws -> StoredDevice? {
        try queue.read { db in try Self.content(db, seal: seal, path: path) }
    }

    static func content(_ db: Database, seal: Seal?, path: String) throws -> StoredDevice? {
        let records = Records(seal: seal)
        return try records.authenticator(db, path: path).map { authenticator in
            StoredDevice(
                authenticator: authenticator, secrets: try records.secrets(db, path: path),
                vault: try records.vault(db, path: path), life: try records.life(db, path: path))
        }
    }

    /// Makes sure that the file is whole and of a version this program knows, and reads what it says of itself.
    static func metadata(_ db: Database, path: String) throws -> StoreMetadata {
        let complaints = try String.fetchAll(db, sql: "PRAGMA quick_check(1)")
        guard complaints == ["ok"] else {
            throw DeviceStoreError.corrupted(path: path, detail: complaints.joined(separator: "; "))
        }
        guard try !Schema.migrator.hasBeenSuperseded(db) else { throw DeviceStoreError.newerVersion(path: path) }
        guard let metadata = try StoreMetadata(db) else {
            throw DeviceStoreError.corrupted(path: path, detail: "it does not say whose it is")
        }
        return metadata
    }
}

/// What a state file holds, without its secrets.
package struct DeviceStoreSummary: Hashable, Sendable {
    package let identity: DeviceIdentity
    /// When the file was made, since the Unix epoch.
    package let createdAt: Duration
    /// Whether its secrets are sealed with a passphrase.
    package let isSealed: Bool
    /// Whether a device has ever kept anything in it.
    package let holdsState: Bool
    /// The highest value the counter of the whole device may have reached.
    package let globalCounter: UInt32
    package let credentialCount: Int
    /// How many relying parties those credentials belong to.
    package let relyingPartyCount: Int
    /// Counters of credentials that live in their IDs.
    package let sealedCounterCount: Int
    /// The serialized large-blob array's length in bytes.
    package let largeBlobLength: Int
    /// What the apps' secrets are called, with the app before those that are not the usual one's.
    package let secretNames: [String]

    init(_ metadata: StoreMetadata, _ db: Database) throws {
        identity = metadata.identity
        createdAt = metadata.createdAt
        isSealed = metadata.sealing != nil
        func count(_ sql: String) throws -> Int { try Int.fetchOne(db, sql: sql) ?? 0 }
        holdsState = try count("SELECT count(settings) FROM state") > 0
        globalCounter = try UInt32.fetchOne(db, sql: "SELECT global_counter FROM state") ?? 0
        credentialCount = try count("SELECT count(*) FROM credentials")
        relyingPartyCount = try count("SELECT count(DISTINCT rp_id_hash) FROM credentials")
        sealedCounterCount = try count("SELECT count(*) FROM sealed_counters")
        largeBlobLength = try count("SELECT coalesce(length(large_blobs), 0) FROM state")
        secretNames = try Records(seal: nil).secretIDs(db).map(\.description)
    }
}
