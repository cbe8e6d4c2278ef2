internal import Foundation
internal import SimulatedDevice
internal import Synchronization

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
    let persistentReference: Data

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
    private let state = Mutex<(entries: [KeychainEntry], count: UInt64)>(([], 0))

    /// The items of an app that secure storage still has.
    func entries(of app: String, in storage: SecureStorage) -> [KeychainEntry] {
        state.withLock { state in
            state.entries.removeAll { storage.protection(of: $0.id) == nil }
            return state.entries.filter { $0.id.app == app }
        }
    }

    /// A name and a reference for a new item.
    func newName(_ attributes: [String: KeychainValue], app: String, class itemClass: KeychainClass) -> (SecretID, Data)
    {
        state.withLock { state in
            state.count += 1
            let words = KeychainAttribute.all.filter(\.isIdentity).compactMap { attributes[$0.key]?.word }
            let name = words.isEmpty ? itemClass.value : words.joined(separator: " ")
            let isTaken = state.entries.contains { $0.id == SecretID(name, app: app) }
            let reference = Data(itemClass.value.utf8) + withUnsafeBytes(of: state.count.bigEndian) { Data($0) }
            return (SecretID(isTaken ? "\(name) (\(state.count))" : name, app: app), reference)
        }
    }

    /// Adds an item, or replaces the one with its name.
    func put(_ entry: KeychainEntry) {
        state.withLock { state in
            if let place = state.entries.firstIndex(of: entry) {
                state.entries[place] = entry
            } else {
                state.entries.append(entry)
            }
        }
    }

    func remove(_ entry: KeychainEntry) { state.withLock { $0.entries.removeAll { $0 == entry } } }

    /// Takes the items that another phone's storage has moved to this one.
    func take(from other: KeychainIndex, into storage: SecureStorage) {
        for entry in other.state.withLock({ $0.entries }) where storage.protection(of: entry.id) != nil { put(entry) }
    }
}
