internal import Foundation
internal import GRDB
internal import Machine

/// The one row of `meta`.
struct StoreMetadata: Sendable {
    let identity: DeviceIdentity
    /// The time the file was created, since the Unix epoch, to the second.
    let createdAt: Duration
    let sealing: Sealing?

    /// The values that verify a passphrase.
    struct Sealing: Sendable {
        let salt: [UInt8]
        let cost: ScryptCost
        /// An empty record, sealed.
        let check: [UInt8]
    }

    init(identity: DeviceIdentity, createdAt: Duration, seal: Seal?) throws {
        self.identity = identity
        self.createdAt = createdAt
        sealing = try seal.map { seal in
            Sealing(salt: seal.salt, cost: seal.cost, check: try seal.seal([], as: .check))
        }
    }

    /// Reads the row; nil when it is missing or invalid.
    init?(_ db: Database) throws {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM meta"),
            let name = row.value("profile_name", String.self),
            let text = row.value("profile_text", String.self), let aaguid = row.bytes("aaguid"),
            let createdAt = row.value("created_at", Int64.self)
        else { return nil }
        identity = DeviceIdentity(profileName: name, profileText: text, aaguid: aaguid)
        self.createdAt = .seconds(createdAt)
        guard let salt = row.bytes("scrypt_salt") else {
            sealing = nil
            return
        }
        guard let check = row.bytes("seal_check"), let rounds = row.value("scrypt_rounds", Int.self),
            let blockSize = row.value("scrypt_block_size", Int.self),
            let parallelism = row.value("scrypt_parallelism", Int.self)
        else { return nil }
        let cost = ScryptCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        guard cost.isReasonable else { return nil }
        sealing = Sealing(salt: salt, cost: cost, check: check)
    }

    func insert(_ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO meta (id, profile_name, profile_text, aaguid, created_at, scrypt_salt, scrypt_rounds,
                    scrypt_block_size, scrypt_parallelism, seal_check)
                VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                identity.profileName, identity.profileText, Data(identity.aaguid), createdAt.components.seconds,
                sealing.map { Data($0.salt) }, sealing?.cost.rounds, sealing?.cost.blockSize,
                sealing?.cost.parallelism, sealing.map { Data($0.check) },
            ])
    }

    /// The seal of the file; throws when the passphrase is missing or wrong, or the file is not sealed.
    func seal(passphrase: [UInt8]?, path: String) throws -> Seal? {
        guard let sealing else {
            guard passphrase == nil else { throw DeviceStoreError.notSealed(path: path) }
            return nil
        }
        guard let passphrase else { throw DeviceStoreError.passphraseNeeded(path: path) }
        return try accept(Seal(passphrase: passphrase, salt: sealing.salt, cost: sealing.cost), path: path)
    }

    /// Verifies that a seal opens this file, and returns it.
    func accept(_ seal: Seal, path: String) throws -> Seal {
        guard let sealing, seal.open(sealing.check, as: .check) != nil else {
            throw DeviceStoreError.wrongPassphrase(path: path)
        }
        return seal
    }
}
