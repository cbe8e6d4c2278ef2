import Foundation
import SimulatedAppleNames

/// The usual fake: a dictionary.
final class FakeKeychain: Keychain {
    private(set) var items: [String: Data] = [:]
    /// The answer of every call; nil for the dictionary's.
    var status: OSStatus?

    func add(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        if let status { return status }
        guard items[key(attributes)] == nil else { return errSecDuplicateItem }
        items[key(attributes)] = attributes[kSecValueData as String] as? Data
        return errSecSuccess
    }

    func copyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        if let status { return status }
        guard let item = items[key(query)] else { return errSecItemNotFound }
        result?.pointee = item
        return errSecSuccess
    }

    func delete(_ query: CFDictionary) -> OSStatus {
        if let status { return status }
        return items.removeValue(forKey: key(query)) == nil ? errSecItemNotFound : errSecSuccess
    }

    func accessControl(_ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags) -> Any? { "access control" }

    private func key(_ query: CFDictionary) -> String {
        [kSecAttrService, kSecAttrAccount].map { query[$0 as String] as? String ?? "" }.joined(separator: " ")
    }
}
