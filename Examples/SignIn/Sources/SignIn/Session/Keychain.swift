#if SIMULATED_PHONE
public import SimulatedAppleNames
#else
public import Security
#endif

/// The calls of the Keychain that the app makes.
public protocol Keychain {
    /// `SecItemAdd`.
    func add(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
    /// `SecItemCopyMatching`.
    func copyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus
    /// `SecItemDelete`.
    func delete(_ query: CFDictionary) -> OSStatus
    /// `SecAccessControlCreateWithFlags`.
    func accessControl(_ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags) -> Any?
}

/// The Keychain of the system.
public struct SystemKeychain: Keychain {
    /// The Keychain of the app.
    public init() {}

    /// `SecItemAdd`.
    public func add(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        SecItemAdd(attributes, result)
    }

    /// `SecItemCopyMatching`.
    public func copyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        SecItemCopyMatching(query, result)
    }

    /// `SecItemDelete`.
    public func delete(_ query: CFDictionary) -> OSStatus { SecItemDelete(query) }

    /// `SecAccessControlCreateWithFlags`.
    public func accessControl(_ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags) -> Any? {
        SecAccessControlCreateWithFlags(nil, protection, flags, nil)
    }
}
