internal import Biometrics
internal import COSE
internal import Causes
internal import PlatformErrors
internal import Synchronization
internal import VirtualAuthenticator

/// The apps' storage of secrets behind the device's lock screen and gate: iOS's Keychain, Android's Keystore.
///
/// Every item is sealed under its own key. The keys are in the vault, as in a Secure Enclave or a trusted execution
/// environment. Destroying the key destroys the item.
package final class SecureStorage: Sendable {
    let authenticator: VirtualAuthenticator
    let life: DeviceLife
    let rules: StorageRules
    let platform: Platform
    private let storage: (any SecretStorage)?
    private let secrets: Mutex<[SecretID: StoredSecret]>

    init(
        authenticator: VirtualAuthenticator, life: DeviceLife, platform: Platform,
        storage: (any SecretStorage)? = nil, secrets: [SecretID: StoredSecret] = [:]
    ) {
        (self.authenticator, self.life, self.storage, self.platform) = (authenticator, life, storage, platform)
        rules = StorageRules(platform)
        self.secrets = Mutex(secrets)
    }

    /// Stores items of an older version sealed.
    func keepSealed(_ ids: [SecretID]) throws {
        guard let storage, !ids.isEmpty else { return }
        var change = SecretChange()
        for id in ids {
            change.items[id] = try secret(id)?.item.encoded()
            change.keys[id] = secret(id)?.key
        }
        try storage.commit(change)
    }

    /// Stores a secret under a name and replaces an item with this name.
    ///
    /// - Parameters:
    ///   - password: a password of the app that the item also needs (`applicationPassword`); nil for none.
    ///   - usesKey: whether the app encrypts with the item's key, which asks for the verification that opens it.
    /// - Throws: ``GateFailure/notEnrolled`` or another ``GateFailure`` when the sensor or passcode cannot protect the
    ///   item; a ``DeviceRefusal``; or the storage's error. Nothing is then changed.
    package func store(
        _ secret: [UInt8], as name: String, app: String = SecretID.defaultApp, protection: Protection,
        password: String? = nil, usesKey: Bool = false
    ) async throws {
        var protection = protection
        if password != nil { protection.hasPassword = true }
        let id = SecretID(name, app: app)
        protection.accessibility = protection.accessibility ?? rules.defaultAccessibility
        let gate = await authenticator.gate
        do {
            guard protection.validitySeconds == nil || rules.itemsTakeValidity else {
                throw DeviceRefusal.notOn(platform, "items that stay open for a time after a verification")
            }
            try requireReach(app: app, protection.accessibility, gate)
            try requireGuard(protection, gate)
            if usesKey { try await prompt(for: protection, id, SecretUse()) }
        } catch {
            life.note(
                DeviceEvent(
                    .secretStore, "\(app) cannot store \(name)",
                    cause: (error as? any CausedError)?.cause))
            throw error
        }
        try await put(secret, as: id, protection, password: password)
        life.note(DeviceEvent(.secretStore, "\(app) stores \(name), \(protection.words)"))
    }

    /// Makes a key under a name, in place of an item with this name; the key signs and cannot be read.
    ///
    /// - Returns: the public key: of ES256 as an uncompressed point, of RS256 as SubjectPublicKeyInfo in DER.
    package func makeKey(
        _ name: String, app: String = SecretID.defaultApp, protection: Protection, algorithm: KeyAlgorithm = .es256
    ) async throws -> [UInt8] {
        let key = try COSE.PrivateKey.generate(
            algorithm.algorithm, randomBytes: authenticator.environment.random.bytes)
        var protection = protection
        protection.isKey = true
        if algorithm != .es256 { protection.algorithm = algorithm }
        try await store(key.rawRepresentation, as: name, app: app, protection: protection)
        switch algorithm {
        case .es256: return [0x04] + key.publicKey.x + key.publicKey.y
        case .rs256: return key.publicKey.subjectPublicKeyInfo
        }
    }

    /// Deletes an item, which is unchanged if the storage fails.
    package func remove(_ name: String, app: String = SecretID.defaultApp) throws {
        let id = SecretID(name, app: app)
        guard secret(id) != nil else { return }
        try removeAll([id])
    }

    /// The IDs of all items, including items whose key was destroyed without the app being told.
    package var ids: [SecretID] { secrets.withLock { $0.keys.sorted() } }
}

extension SecureStorage {
    /// Seals and stores a secret without checking the app.
    func put(_ secret: [UInt8], as id: SecretID, _ protection: Protection, password: String? = nil) async throws {
        let (item, key) = try SealedItem.seal(
            secret, as: id, protection, binding: EnrolmentBinding(await authenticator.gate),
            lockScreenGeneration: life.state.lockScreenGeneration, password: password,
            random: authenticator.environment.random)
        var change = SecretChange()
        if storage != nil {
            change.items[id] = try item.encoded()
            change.keys[id] = key
        }
        try commit(change) { $0[id] = StoredSecret(item: item, key: key) }
    }

    /// The protection of an item; nil for a missing item.
    package func protection(of id: SecretID) -> Protection? { secret(id)?.item.protection }

    func secret(_ id: SecretID) -> StoredSecret? { secrets.withLock { $0[id] } }

    var all: [SecretID: StoredSecret] { secrets.withLock { $0 } }

    func removeAll(_ ids: [SecretID]) throws {
        guard !ids.isEmpty else { return }
        var change = SecretChange()
        change.removedItems = Set(ids)
        change.destroyedKeys = Set(ids)
        try commit(change) { secrets in for id in ids { secrets[id] = nil } }
    }

    /// Destroys keys; their items stay until their apps are told.
    func destroyKeys(_ ids: [SecretID]) throws {
        guard !ids.isEmpty else { return }
        var change = SecretChange()
        change.destroyedKeys = Set(ids)
        try commit(change) { secrets in for id in ids { secrets[id]?.key = nil } }
    }

    /// Replaces all items and the device's ``LifeState``.
    func replaceAll(_ secrets: [SecretID: StoredSecret], life: [UInt8]?) throws {
        var change = SecretChange()
        change.erasesEverything = true
        change.items = try secrets.mapValues { try $0.item.encoded() }
        change.keys = secrets.compactMapValues(\.key)
        change.life = life
        try commit(change) { $0 = secrets }
    }

    private func commit(_ change: SecretChange, _ apply: (inout [SecretID: StoredSecret]) -> Void) throws {
        try secrets.withLock { secrets in
            try storage?.commit(change)
            apply(&secrets)
        }
    }
}

extension SecureStorage.Protection {
    var words: String {
        var parts = ["access \(access.rawValue)"] + (accessibility.map { [$0.rawValue] } ?? [])
        if let validitySeconds { parts.append("for \(validitySeconds) s after a verification") }
        if migrates { parts.append("migrating") }
        if isKey == true { parts.insert("a key", at: 0) }
        if hasPassword == true { parts.append("with a password of the app") }
        return parts.joined(separator: ", ")
    }
}
