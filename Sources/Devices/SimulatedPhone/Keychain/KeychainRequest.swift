internal import Foundation
internal import SimulatedDevice

#if canImport(Security)
internal import Security
#endif

/// A dictionary of a Keychain call, read.
struct KeychainRequest: Sendable {
    /// The results that a call returns.
    struct Results: OptionSet, Hashable, Sendable {
        let rawValue: Int
        static let data = Self(rawValue: 1)
        static let attributes = Self(rawValue: 2)
        static let reference = Self(rawValue: 4)
        static let persistentReference = Self(rawValue: 8)
    }

    /// The prompts of a call.
    enum Prompts: Hashable, Sendable {
        case allow, fail, skip

        static let byValue: [String: Prompts] = [
            DeprecatedName.authenticationUIAllow: .allow, DeprecatedName.authenticationUIFail: .fail,
            kSecUseAuthenticationUISkip as String: .skip,
        ]
    }

    var itemClass: KeychainClass?
    var attributes: [String: KeychainValue] = [:]
    /// Whether a search finds items of both kinds: those of this device, and those of all the user's devices.
    var findsSynchronizable = false
    var accessible: KeychainAccessible?
    var accessControl: SimulatedSecAccessControl?
    var data: Data?
    var key: SimulatedSecKey?
    var persistentReference: Data?
    var results: Results = []
    /// The most results; nil for all.
    var limit: Int? = 1
    var context: SimulatedLAContext?
    var prompts = Prompts.allow
    var reason: String?
    /// The given keys.
    private(set) var given: Set<String> = []

    /// Reads a dictionary.
    ///
    /// - Parameter itemClass: the class, where the dictionary does not name it.
    /// - Throws: ``KeychainProblem`` for a key that the simulation does not know, and for a value of another type.
    init(_ dictionary: CFDictionary, of itemClass: KeychainClass? = nil) throws(KeychainProblem) {
        let entries = try Self.entries(dictionary)
        self.itemClass = itemClass
        if let value = entries[kSecClass as String] {
            guard let known = KeychainClass.allCases.first(where: { $0.value == value as? String }) else {
                throw .query(
                    "the simulation has no items of the class \(value); use a generic password, an internet password or a key"
                )
            }
            self.itemClass = known
        }
        given = Set(entries.keys)
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) where key != kSecClass as String {
            try read(key, value)
        }
    }

    /// The entries of a dictionary by their keys.
    static func entries(_ dictionary: CFDictionary) throws(KeychainProblem) -> [String: Any] {
        #if canImport(Security)
        guard let entries = dictionary as? [String: Any] else {
            throw .query("the dictionary has keys other than strings; use the constants of Security")
        }
        return entries
        #else
        return dictionary
        #endif
    }

    private mutating func read(_ key: String, _ value: Any) throws(KeychainProblem) {
        if key == kSecAttrSynchronizable as String, (value as? String) == (kSecAttrSynchronizableAny as String) {
            findsSynchronizable = true
            return
        }
        let owners = itemClass.map { [$0] } ?? KeychainClass.allCases
        if let attribute = owners.lazy.compactMap({ KeychainAttribute.named(key, of: $0) }).first {
            guard let read = KeychainValue(value, attribute.kind) else {
                throw .query("\(value) is not a value of the attribute \"\(key)\"; give one of its type")
            }
            attributes[key] = read
            return
        }
        guard let read = Self.readers[key] else {
            let ofClass = itemClass.map { " for items of the class \"\($0.value)\"" } ?? ""
            throw .query("the simulation does not know the key \"\(key)\"\(ofClass); remove it")
        }
        guard read(&self, value) else {
            throw .query("\(value) is not a value of the key \"\(key)\"; give one of its type")
        }
    }

    /// The keys besides attributes, each with the reader of its value, which returns false for a wrong one.
    private static let readers: [String: @Sendable (inout KeychainRequest, Any) -> Bool] = [
        kSecAttrAccessible as String: { request, value in
            request.accessible = (value as? String).flatMap(KeychainAccessible.init)
            return request.accessible != nil
        },
        kSecAttrAccessControl as String: { request, value in
            request.accessControl = value as? SimulatedSecAccessControl
            return request.accessControl != nil
        },
        kSecValueData as String: { request, value in
            request.data = value as? Data
            return request.data != nil
        },
        kSecValueRef as String: { request, value in
            request.key = value as? SimulatedSecKey
            return request.key != nil
        },
        kSecValuePersistentRef as String: { request, value in
            request.persistentReference = value as? Data
            return request.persistentReference != nil
        },
        kSecReturnData as String: { $0.setResult(.data, $1) },
        kSecReturnAttributes as String: { $0.setResult(.attributes, $1) },
        kSecReturnRef as String: { $0.setResult(.reference, $1) },
        kSecReturnPersistentRef as String: { $0.setResult(.persistentReference, $1) },
        kSecMatchLimit as String: { request, value in
            let word = value as? String
            request.limit = word == kSecMatchLimitOne as String ? 1 : value as? Int
            return request.limit.map { $0 > 0 } ?? (word == kSecMatchLimitAll as String)
        },
        kSecUseAuthenticationContext as String: { request, value in
            request.context = value as? SimulatedLAContext
            return request.context != nil
        },
        kSecUseAuthenticationUI as String: { request, value in
            guard let prompts = (value as? String).flatMap({ Prompts.byValue[$0] }) else { return false }
            request.prompts = prompts
            return true
        },
        DeprecatedName.noAuthenticationUI: { request, value in
            guard let isForbidden = value as? Bool else { return false }
            request.prompts = isForbidden ? .fail : .allow
            return true
        },
        DeprecatedName.operationPrompt: { request, value in
            request.reason = value as? String
            return request.reason != nil
        },
        // The simulation has no other Keychain.
        kSecUseDataProtectionKeychain as String: { _, value in value is Bool },
    ]

    private mutating func setResult(_ result: Results, _ value: Any) -> Bool {
        guard let isWanted = value as? Bool else { return false }
        if isWanted { results.insert(result) } else { results.remove(result) }
        return true
    }
}

extension KeychainRequest {
    func requireClass() throws(KeychainProblem) -> KeychainClass {
        guard let itemClass else { throw .query("the dictionary has no kSecClass; add it") }
        return itemClass
    }

    /// Refuses keys that have no meaning in a call.
    func refuse(_ keys: CFString...) throws(KeychainProblem) {
        guard let key = keys.map({ $0 as String }).first(where: given.contains) else { return }
        throw .query("the key \"\(key)\" has no meaning in this call; remove it")
    }

    /// Refuses every key other than attributes and the given ones.
    func allow(only keys: CFString...) throws(KeychainProblem) {
        let allowed = keys.map { $0 as String } + attributes.keys
        guard let key = given.sorted().first(where: { !allowed.contains($0) }) else { return }
        throw .query("the key \"\(key)\" has no meaning in a change; remove it")
    }

    /// The new availability of an item; nil when the dictionary does not say it.
    var newAccessible: KeychainAccessible? {
        get throws(KeychainProblem) {
            guard let accessControl else { return accessible }
            guard accessible == nil || accessible == accessControl.accessible else {
                throw .query(
                    "kSecAttrAccessible contradicts kSecAttrAccessControl, which has one of its own; remove it")
            }
            return accessControl.accessible
        }
    }

    /// Refuses kinds of results in a call without results.
    func refuseResults() throws(KeychainProblem) {
        guard results.isEmpty else {
            throw .query("a change returns nothing; remove kSecReturnData and the other keys of results")
        }
    }

    /// Refuses a choice of items in the attributes of one.
    func refuseChoice() throws(KeychainProblem) {
        guard !findsSynchronizable else {
            throw .query("kSecAttrSynchronizableAny is for searches; give kSecAttrSynchronizable true or false")
        }
    }

    /// Whether an item has the attributes of the request.
    func describes(_ entry: KeychainEntry) -> Bool {
        if let persistentReference, persistentReference != entry.persistentReference { return false }
        if let key, key.id != entry.id { return false }
        if let accessible, accessible != entry.accessible { return false }
        if let accessControl, accessControl != entry.accessControl { return false }
        let synchronizable = kSecAttrSynchronizable as String
        // A search that does not say it finds the items of this device.
        if attributes[synchronizable] == nil, !findsSynchronizable, entry.attributes[synchronizable] == .flag(true) {
            return false
        }
        return attributes.allSatisfy { key, value in
            entry.attributes[key] == value || (entry.attributes[key] == nil && value == .flag(false))
        }
    }

    /// Whether a prompt may be shown.
    var allowsPrompts: Bool { prompts == .allow && context?.interactionNotAllowed != true }
}
