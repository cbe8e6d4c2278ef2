internal import Biometrics
internal import Crypto
internal import Foundation
internal import VirtualAuthenticator

/// An item at rest: its protection in the clear, and its secret sealed under its own key in the vault.
///
/// AES-256-GCM with the name and the clear members as additional data: an item with a changed name, a weaker access or a
/// newer binding does not open. Destroying the key destroys the item.
struct SealedItem: Hashable, Sendable, Codable {
    let protection: SecureStorage.Protection
    /// The enrolment generations it is bound to; empty for a device without sensors.
    let binding: [UInt64]
    /// The generation of the lock screen it was stored under, see ``LifeState/lockScreenGeneration``.
    let lockScreenGeneration: UInt64
    /// Nonce (12) ‖ ciphertext ‖ tag (16).
    private(set) var sealed: [UInt8] = []

    /// Seals a secret under a new key of 32 bytes.
    static func seal(
        _ secret: [UInt8], as id: SecretID, _ protection: SecureStorage.Protection, binding: EnrolmentBinding?,
        lockScreenGeneration: UInt64, password: String? = nil, random: any RandomSource
    ) throws -> (item: SealedItem, key: [UInt8]) {
        var item = SealedItem(
            protection: protection, binding: binding?.generations ?? [], lockScreenGeneration: lockScreenGeneration)
        let key = random.bytes(32)
        let box = try AES.GCM.seal(
            secret, using: sealingKey(key, password), nonce: AES.GCM.Nonce(data: random.bytes(12)),
            authenticating: item.associatedData(id))
        item.sealed = Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
        return (item, key)
    }

    /// The secret; nil for a wrong key or password, or a changed item.
    func open(as id: SecretID, key: [UInt8], password: String? = nil) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed), let data = try? associatedData(id),
            let secret = try? AES.GCM.open(box, using: Self.sealingKey(key, password), authenticating: data)
        else { return nil }
        return Array(secret)
    }

    /// The key in the vault, mixed with the app's password if there is one.
    private static func sealingKey(_ key: [UInt8], _ password: String?) -> SymmetricKey {
        guard let password else { return SymmetricKey(data: key) }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key), info: Data(password.utf8), outputByteCount: 32)
    }

    private func associatedData(_ id: SecretID) throws -> Data {
        var bare = self
        bare.sealed = []
        return try JSONEncoder.sorted.encode([id.app, id.name]) + JSONEncoder.sorted.encode(bare)
    }
}

extension SealedItem {
    func encoded() throws -> [UInt8] { Array(try JSONEncoder.sorted.encode(self)) }

    init(encoded: [UInt8]) throws { self = try JSONDecoder().decode(SealedItem.self, from: Data(encoded)) }
}

extension JSONEncoder {
    /// Encodes stored state.
    static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

/// An item of a version without a vault, its secret in the clear.
struct UnsealedItem: Codable {
    let secret: [UInt8]
    let access: SecureStorage.Access
    let bindingGeneration: UInt64

    init?(encoded: [UInt8]) {
        guard let item = try? JSONDecoder().decode(UnsealedItem.self, from: Data(encoded)) else { return nil }
        self = item
    }

    func sealed(as id: SecretID, random: any RandomSource) throws -> StoredSecret {
        let (item, key) = try SealedItem.seal(
            secret, as: id, SecureStorage.Protection(access, .whenUnlocked),
            binding: EnrolmentBinding(generations: [bindingGeneration]), lockScreenGeneration: 0, random: random)
        return StoredSecret(item: item, key: key)
    }
}

/// An item and its key.
struct StoredSecret: Hashable, Sendable {
    var item: SealedItem
    /// The key; nil after its destruction until the app has been told.
    var key: [UInt8]?
}
