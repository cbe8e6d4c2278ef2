internal import COSE
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator

#if canImport(Security)
internal import Security
#endif

/// The shape of `SecKey`: a private key in the simulated Secure Enclave, or the public key of one.
///
/// The private key is created on the phone and never leaves it. It is a P-256 key, as in the Secure Enclave.
public final class SimulatedSecKey: Hashable, Sendable {
    /// A private key in secure storage.
    struct PrivatePart: Sendable {
        let phone: Phone
        let id: SecretID
        let context: SimulatedLAContext?
        /// Whether the key ends with this object.
        let isTemporary: Bool
    }

    /// The public key, as an uncompressed point.
    let point: [UInt8]
    /// Nil for a public key.
    let privatePart: PrivatePart?

    init(point: [UInt8], _ privatePart: PrivatePart? = nil) { (self.point, self.privatePart) = (point, privatePart) }

    deinit {
        guard let privatePart, privatePart.isTemporary else { return }
        // After a move to a new phone the name may be another item's.
        guard privatePart.phone.keychain.release(privatePart.id) else { return }
        // A storage in memory does not fail.
        try? privatePart.phone.device.secureStorage.remove(privatePart.id.name, app: privatePart.id.app)
    }

    /// The item of a private key; nil for a public key.
    var id: SecretID? { privatePart?.id }

    /// Whether two references stand for the same key.
    public static func == (first: SimulatedSecKey, second: SimulatedSecKey) -> Bool {
        first.point == second.point && first.id == second.id
    }

    /// Hashes the public key.
    public func hash(into hasher: inout Hasher) { hasher.combine(point) }

    /// The public key for verifying.
    var publicKey: COSE.PublicKey? {
        try? COSE.PublicKey(algorithm: .es256, x: Array(point[1..<33]), y: Array(point[33..<65]))
    }
}

/// A request for a new key, as the parameters of `SecKeyCreateRandomKey` describe it.
struct KeyParameters: Sendable {
    var attributes: [String: KeychainValue]
    var accessible: KeychainAccessible
    var accessControl: SimulatedSecAccessControl?
    var context: SimulatedLAContext?
    var isPermanent: Bool

    init(_ parameters: CFDictionary) throws(KeychainProblem) {
        var entries = try KeychainRequest.entries(parameters)
        let own = entries.removeValue(forKey: kSecPrivateKeyAttrs as String)
        guard entries[kSecPublicKeyAttrs as String] == nil else {
            throw KeychainProblem(
                errSecUnimplemented,
                "the simulation keeps no public keys; remove kSecPublicKeyAttrs, and copy the public key of the private one"
            )
        }
        let shared = try KeychainRequest(entries as CFDictionary, of: .key)
        try shared.allow(only: kSecUseAuthenticationContext)
        guard let ownEntries = (own ?? [String: Any]()) as? [String: Any] else {
            throw .query("kSecPrivateKeyAttrs is not a dictionary; give the attributes of the private key")
        }
        let ofPrivateKey = try KeychainRequest(ownEntries as CFDictionary, of: .key)
        try ofPrivateKey.allow(only: kSecAttrAccessControl, kSecAttrAccessible, kSecUseAuthenticationContext)
        try shared.refuseChoice()
        try ofPrivateKey.refuseChoice()
        attributes = shared.attributes.merging(ofPrivateKey.attributes) { $1 }
        try Self.check(attributes)
        accessControl = ofPrivateKey.accessControl
        accessible = try ofPrivateKey.newAccessible ?? .usual
        context = ofPrivateKey.context ?? shared.context
        isPermanent = attributes[kSecAttrIsPermanent as String] == .flag(true)
        attributes[kSecAttrKeyClass as String] = .text(kSecAttrKeyClassPrivate as String)
        guard accessControl?.allowsKeyUsage != false else {
            throw .query("the access control of a key in the Secure Enclave needs the flag privateKeyUsage; add it")
        }
        guard accessControl?.needsPassword != true else {
            throw .query("the simulation has no keys with a password of the app; remove the flag applicationPassword")
        }
    }

    private static func check(_ attributes: [String: KeychainValue]) throws(KeychainProblem) {
        guard attributes[kSecAttrTokenID as String] == .text(kSecAttrTokenIDSecureEnclave as String) else {
            throw KeychainProblem(
                errSecUnimplemented,
                "the simulation makes keys in the Secure Enclave only; set kSecAttrTokenID to kSecAttrTokenIDSecureEnclave"
            )
        }
        guard attributes[kSecAttrSynchronizable as String] != .flag(true) else {
            throw .query("a key of the Secure Enclave stays on its device; remove kSecAttrSynchronizable")
        }
        let type = attributes[kSecAttrKeyType as String]
        guard type == .text(kSecAttrKeyTypeECSECPrimeRandom as String) else {
            throw .query(
                "the Secure Enclave has only EC keys; set kSecAttrKeyType to kSecAttrKeyTypeECSECPrimeRandom"
            )
        }
        let size = attributes[kSecAttrKeySizeInBits as String]
        guard size == nil || size == .number(256) else {
            throw .query("the Secure Enclave has keys of 256 bits only; set kSecAttrKeySizeInBits to 256")
        }
    }
}

extension KeychainStore {
    /// Makes a key in the Secure Enclave.
    func makeKey(_ parameters: KeyParameters) async throws -> SimulatedSecKey {
        var attributes = attributes(parameters.attributes)
        let (id, reference) = try phone.keychain.claimName(
            parameters.attributes, identity: nil, app: app, class: .key, in: phone.device.secureStorage,
            isTemporary: !parameters.isPermanent)
        var protection = SecureStorage.Protection(
            parameters.accessControl?.access ?? .none, parameters.accessible.accessibility)
        // A key of the Secure Enclave moves to no other device.
        protection.migrates = false
        let point: [UInt8]
        do {
            point = try await phone.device.secureStorage.makeKey(id.name, app: app, protection: protection)
        } catch {
            phone.keychain.release(id)
            throw phone.keychainProblem(error, during: .store)
        }
        if attributes[kSecAttrApplicationLabel as String] == nil {
            attributes[kSecAttrApplicationLabel as String] = .bytes(KeychainHash.label(of: point))
        }
        let now = phone.clock.now()
        let entry = KeychainEntry(
            id: id, itemClass: .key, attributes: attributes, accessible: parameters.accessible,
            accessControl: parameters.accessControl, createdAt: now, modifiedAt: now, publicKey: point,
            persistentReference: reference)
        if parameters.isPermanent { phone.keychain.put(entry) }
        return SimulatedSecKey(
            point: point,
            SimulatedSecKey.PrivatePart(
                phone: phone, id: id, context: parameters.context, isTemporary: !parameters.isPermanent))
    }

    /// Signs with a key; the user is asked where its access control says so.
    func sign(_ data: [UInt8], with key: SimulatedSecKey.PrivatePart) async throws -> [UInt8] {
        let allowsPrompts = key.context?.interactionNotAllowed != true
        let use = try phone.use(of: key.context, allowsPrompts: allowsPrompts)
        let sheet = PromptSheet(
            app: app, reason: key.context?.localizedReason ?? "", fallbackTitle: key.context?.localizedFallbackTitle,
            cancelTitle: key.context?.localizedCancelTitle)
        return try await phone.person.seeing(sheet) {
            await phone.device.secureStorage.sign(data, with: key.id.name, app: app, use)
        }.get()
    }
}

extension SimulatedSecKey {
    /// The reference of a key that an app finds; nil for a password.
    convenience init?(_ entry: KeychainEntry, on phone: Phone, context: SimulatedLAContext?) {
        guard let point = entry.publicKey else { return nil }
        self.init(point: point, PrivatePart(phone: phone, id: entry.id, context: context, isTemporary: false))
    }
}
