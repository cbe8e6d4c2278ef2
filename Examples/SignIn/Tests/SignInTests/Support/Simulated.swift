import SignIn
public import SimulatedAppleNames

import struct Foundation.Data

extension SimulatedKeychain: Keychain {
    /// `SecAccessControlCreateWithFlags`.
    public func accessControl(_ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags) -> Any? {
        SecAccessControlCreateWithFlags(nil, protection, flags, nil)
    }
}

/// The values of `UserDefaults` in memory.
final class Values: KeyValues {
    private var values: [String: Any] = [:]

    func string(forKey key: String) -> String? { values[key] as? String }
    func data(forKey key: String) -> Data? { values[key] as? Data }
    func set(_ value: Any?, forKey key: String) { values[key] = value }
    func removeAll() { values = [:] }
}
