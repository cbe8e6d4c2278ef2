internal import Foundation
internal import SimulatedDevice
internal import Synchronization

#if canImport(Security)
internal import Security
#endif

/// An item of the Keychain, without its secret, which secure storage has.
struct KeychainEntry: Hashable, Sendable {
    /// The item's name in secure storage.
    let id: SecretID
    let itemClass: KeychainClass
    var attributes: [String: KeychainValue]
    var accessible: KeychainAccessible
    /// Nil for an item without access control.
    var accessControl: SimulatedSecAccessControl?
    let createdAt: Duration
    var modifiedAt: Duration
    /// The public key of a private key, as an uncompressed point; nil for a password.
    var publicKey: [UInt8]?
    /// A reference that the app can keep.
    var persistentReference: Data

    /// The group of an app's items whose dictionary names none, with a prefix of ten letters, as a team has one.
    static func accessGroup(of app: String) -> String { "TOUCHSTONE.\(app)" }

    /// Refuses an item of all the user's devices whose availability keeps it on one device.
    func requireReach() throws(KeychainProblem) {
        guard attributes[kSecAttrSynchronizable as String] != .flag(true) || accessible.migrates else {
            throw .query(
                "kSecAttrSynchronizable contradicts a kSecAttrAccessible that ends in ThisDeviceOnly; remove one of them"
            )
        }
    }

    /// Whether the user or a password of the app opens it.
    var isProtected: Bool { accessControl.map { $0.access != .none || $0.needsPassword } ?? false }

    /// The part of the attributes in which two items of a class differ.
    var identity: [String: KeychainValue] { Self.identity(attributes, of: itemClass) }

    static func identity(_ attributes: [String: KeychainValue], of itemClass: KeychainClass) -> [String: KeychainValue]
    {
        let keys = KeychainAttribute.all.filter { $0.isIdentity && $0.classes.contains(itemClass) }.map(\.key)
        return attributes.filter { keys.contains($0.key) && $0.value != .flag(false) }
    }

    static func == (first: Self, second: Self) -> Bool { first.id == second.id }

    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The items of a phone's Keychain, oldest first; secure storage has their secrets and decides which of them exist.
final class KeychainIndex: Sendable {
    /// The identity of an item that is being stored or changed; nil for a key, which differs from every other one.
    private struct Claim {
        let itemClass: KeychainClass
        let identity: [String: KeychainValue]?
    }

    private struct State {
        var entries: [KeychainEntry] = []
        /// The names in use that are not in `entries`, or change there; those of temporary keys are among them.
        var claims: [SecretID: Claim] = [:]
        var count: UInt64 = 0

        func isUsed(_ id: SecretID) -> Bool { claims[id] != nil || entries.contains { $0.id == id } }

        /// Whether another item of an app has an identity.
        func has(_ identity: [String: KeychainValue], of itemClass: KeychainClass, besides id: SecretID?, app: String)
            -> Bool
        {
            let isClaimed = claims.contains { other, claim in
                other.app == app && other != id && claim.itemClass == itemClass && claim.identity == identity
            }
            return isClaimed
                || entries.contains {
                    $0.id.app == app && $0.id != id && $0.itemClass == itemClass && $0.identity == identity
                }
        }

        mutating func newReference(_ itemClass: KeychainClass) -> Data {
            count += 1
            return Data(itemClass.value.utf8) + withUnsafeBytes(of: count.bigEndian) { Data($0) }
        }
    }

    private let state = Mutex(State())

    /// The items of an app that secure storage still has.
    func entries(of app: String, in storage: SecureStorage) -> [KeychainEntry] {
        state.withLock { state in
            state.entries.removeAll { storage.protection(of: $0.id) == nil }
            return state.entries.filter { $0.id.app == app }
        }
    }

    /// Keeps a name and a reference for a new item, until ``put(_:)`` adds it or ``release(_:)`` gives it up.
    ///
    /// - Parameters:
    ///   - identity: the attributes in which the item differs from the app's others; nil for a key.
    ///   - isTemporary: whether the item ends with the app's reference to it.
    /// - Throws: `errSecDuplicateItem` when an item has the identity, or gets it now.
    func claimName(
        _ attributes: [String: KeychainValue], identity: [String: KeychainValue]?, app: String,
        class itemClass: KeychainClass, in storage: SecureStorage, isTemporary: Bool = false
    ) throws(KeychainProblem) -> (SecretID, Data) {
        try state.withLock { state throws(KeychainProblem) in
            state.entries.removeAll { storage.protection(of: $0.id) == nil }
            if let identity, state.has(identity, of: itemClass, besides: nil, app: app) { throw .duplicate }
            let words = KeychainAttribute.all.filter(\.isIdentity).compactMap { attributes[$0.key]?.word }
            let name =
                (isTemporary ? "temporary " : "") + (words.isEmpty ? itemClass.value : words.joined(separator: " "))
            var (id, number) = (SecretID(name, app: app), 1)
            while state.isUsed(id) {
                number += 1
                id = SecretID("\(name) (\(number))", app: app)
            }
            state.claims[id] = Claim(itemClass: itemClass, identity: identity)
            return (id, state.newReference(itemClass))
        }
    }

    /// Keeps the new identity of an item that changes, until ``put(_:)`` or ``release(_:)``.
    ///
    /// - Throws: `errSecDuplicateItem` when another item has it.
    func claimIdentity(of entry: KeychainEntry) throws(KeychainProblem) {
        try state.withLock { state throws(KeychainProblem) in
            guard !state.has(entry.identity, of: entry.itemClass, besides: entry.id, app: entry.id.app) else {
                throw .duplicate
            }
            state.claims[entry.id] = Claim(itemClass: entry.itemClass, identity: entry.identity)
        }
    }

    /// Gives a name or an identity up.
    ///
    /// - Returns: whether it was kept.
    @discardableResult
    func release(_ id: SecretID) -> Bool { state.withLock { $0.claims.removeValue(forKey: id) != nil } }

    /// Adds an item, or replaces the one with its name.
    func put(_ entry: KeychainEntry) {
        state.withLock { state in
            state.claims[entry.id] = nil
            if let place = state.entries.firstIndex(of: entry) {
                state.entries[place] = entry
            } else {
                state.entries.append(entry)
            }
        }
    }

    func remove(_ entry: KeychainEntry) { state.withLock { $0.entries.removeAll { $0 == entry } } }

    /// Takes the items that another phone's storage has moved to this one.
    ///
    /// An item keeps its reference, unless one of this phone has the same.
    func take(from other: KeychainIndex, into storage: SecureStorage) {
        let (entries, count) = other.state.withLock { ($0.entries, $0.count) }
        state.withLock { $0.count = max($0.count, count) }
        for var entry in entries where storage.protection(of: entry.id) != nil {
            state.withLock { state in
                let isTaken = state.entries.contains {
                    $0 != entry && $0.persistentReference == entry.persistentReference
                }
                if isTaken { entry.persistentReference = state.newReference(entry.itemClass) }
            }
            put(entry)
        }
    }
}
