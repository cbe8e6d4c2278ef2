internal import Crypto
internal import Foundation
internal import Machine
internal import SimulatedDevice
internal import VirtualAuthenticator

/// Seals records under a key derived from a passphrase: nonce (12, fresh for every write) ‖ AES-256-GCM ‖ tag (16), with
/// the record's name as additional data, so that no record can replace another.
struct Seal: Sendable {
    let salt: [UInt8]
    let cost: ScryptCost
    private let key: SymmetricKey

    /// A seal for a new file.
    init(passphrase: [UInt8], cost: ScryptCost) throws {
        try self.init(passphrase: passphrase, salt: SystemRandomSource().bytes(16), cost: cost)
    }

    init(passphrase: [UInt8], salt: [UInt8], cost: ScryptCost) throws {
        self.salt = salt
        self.cost = cost
        key = SymmetricKey(data: try cost.key(from: passphrase, salt: salt))
    }

    func seal(_ plaintext: [UInt8], as record: Record) throws -> [UInt8] {
        let box = try AES.GCM.seal(plaintext, using: key, authenticating: record.name)
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    /// The plaintext; nil when the record was sealed under another key or name, or was changed.
    func open(_ sealed: [UInt8], as record: Record) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: record.name)
        else { return nil }
        return Array(plaintext)
    }

    enum Record {
        /// An empty record, which verifies a passphrase.
        case check
        case settings
        case credential(id: [UInt8])
        case secret(SecretID)
        case key(SecretID)
        case life

        fileprivate var name: [UInt8] {
            switch self {
            case .check: Array("check".utf8)
            case .settings: Array("settings".utf8)
            case .credential(let id): Array("credential:".utf8) + id
            case .secret(let id): Array("secret:".utf8) + Self.path(id)
            case .key(let id): Array("key:".utf8) + Self.path(id)
            case .life: Array("life".utf8)
            }
        }
    }
}

extension Seal.Record {
    /// The name alone for the default app, as in files of version 1; names contain no zero byte.
    fileprivate static func path(_ id: SecretID) -> [UInt8] {
        id.app == SecretID.defaultApp ? Array(id.name.utf8) : Array(id.app.utf8) + [0] + Array(id.name.utf8)
    }
}
