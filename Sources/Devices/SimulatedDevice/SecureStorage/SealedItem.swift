internal import Biometrics
internal import Crypto
internal import Foundation
internal import VirtualAuthenticator

/// An item at rest: how it is protected, in the clear, and the secret, sealed under a key of its own that the vault
/// holds.
///
/// AES-256-GCM with the name and everything in the clear as additional data, so that nobody gives an item another
/// name, an easier access or a newer binding. Without its key it is nothing: destroying the key is how it dies.
struct SealedItem: Hashable, Sendable, Codable {
    /// How it is protected.
    let protection: SecureStorage.Protection
    /// The people it is bound to; empty where there was no sensor.
    let binding: [UInt64]
    /// The secure lock screen it was stored under, see ``LifeState/lockScreenGeneration``.
    let lockScreenGeneration: UInt64
    /// Nonce (12) ‖ ciphertext ‖ tag (16).
    private(set) var sealed: [UInt8] = []

    /// Seals a secret under a new key.
    ///
    /// - Returns: the item and its key, 32 bytes.
    static func seal(
        _ secret: [UInt8], as id: SecretID, _ protection: SecureStorage.Protection, binding: EnrolmentBinding?,
        lockScreenGeneration: UInt64, random: any RandomSource
    ) throws -> (item: SealedItem, key: [UInt8]) {
        var item = SealedItem(
            protection: protection, binding: binding?.generations ?? [], lockScreenGeneration: lockScreenGeneration)
        let key = random.bytes(32)
        let box = try AES.GCM.seal(
            secret, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: random.bytes(12)),
            authenticating: item.associatedData(id))
        item.sealed = Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
        return (item, key)
    }

    /// The secret; nil when the key is another's, or anything about the item was changed.
    func open(as id: SecretID, key: [UInt8]) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let data = try? associatedData(id),
            let secret = try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: data)
        else { return nil }
        return Array(secret)
    }

    private func associatedData(_ id: SecretID) throws -> Data {
        var bare = self
        bare.sealed = []
        return try Self.encoder.encode([id.app, id.name]) + Self.encoder.encode(bare)
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }

    /// The form storage keeps.
    func encoded() throws -> [UInt8] { Array(try Self.encoder.encode(self)) }

    /// Reads what ``encoded()`` wrote.
    init(encoded: [UInt8]) throws {
        self = try JSONDecoder().decode(SealedItem.self, from: Data(encoded))
    }

    private init(protection: SecureStorage.Protection, binding: [UInt64], lockScreenGeneration: UInt64) {
        self.protection = protection
        self.binding = binding
        self.lockScreenGeneration = lockScreenGeneration
    }
}

/// An item as versions without a vault kept it, its secret in the clear.
struct UnsealedItem: Codable {
    let secret: [UInt8]
    let access: SecureStorage.Access
    let bindingGeneration: UInt64

    /// Reads one; nil for anything else.
    init?(encoded: [UInt8]) {
        guard let item = try? JSONDecoder().decode(UnsealedItem.self, from: Data(encoded)) else { return nil }
        self = item
    }

    /// The same item with its secret sealed.
    func sealed(as id: SecretID, random: any RandomSource) throws -> StoredSecret {
        let (item, key) = try SealedItem.seal(
            secret, as: id, SecureStorage.Protection(access),
            binding: EnrolmentBinding(generations: [bindingGeneration]), lockScreenGeneration: 0, random: random)
        return StoredSecret(item: item, key: key)
    }
}

/// An item and its key.
struct StoredSecret: Hashable, Sendable {
    var item: SealedItem
    /// Nil when it was destroyed, and the app has not been told yet.
    var key: [UInt8]?
}
