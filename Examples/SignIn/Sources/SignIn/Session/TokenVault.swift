// Not all of Foundation, which on Apple's systems brings Security along.
public import struct Foundation.Data

#if SIMULATED_PHONE
public import SimulatedAppleNames
#else
public import Security
#endif

/// The app's secrets in the Keychain.
@MainActor
public struct TokenVault {
    /// The reason why a secret cannot be stored or read.
    public enum Problem: Error, Equatable {
        /// The secret does not exist, or the system destroyed its key when the enrolled set changed.
        case missing
        /// The device or the user does not allow it now; the Keychain still has the secret.
        case refused
        /// The user pressed Cancel.
        case cancelled
        /// The device is locked, so that the secret cannot be read and a prompt cannot be shown.
        case locked
        /// The Keychain answered with another status.
        case status(OSStatus)

        init(_ status: OSStatus) {
            switch status {
            case errSecItemNotFound: self = .missing
            case errSecAuthFailed: self = .refused
            case errSecUserCanceled: self = .cancelled
            case errSecInteractionNotAllowed: self = .locked
            default: self = .status(status)
            }
        }
    }

    private let keychain: any Keychain

    /// The secrets in a Keychain.
    public init(_ keychain: any Keychain) { self.keychain = keychain }

    // MARK: The session, which opens with the faces and fingers that were enrolled when it was stored

    /// Stores the token of an account's session in place of an earlier one.
    public func storeSession(_ token: Data, of account: String) throws(Problem) {
        let protection = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        guard let control = keychain.accessControl(protection, .biometryCurrentSet) else {
            throw Problem(errSecParam)
        }
        // An update would keep the item's key, which the system may have destroyed.
        try removeSession(of: account)
        var item = session(of: account)
        item[kSecAttrAccessControl as String] = control
        item[kSecValueData as String] = token
        try add(item)
    }

    /// The token of an account's session; a verified context opens it without another prompt.
    public func openSession(of account: String, with context: any AuthenticationContext) throws(Problem) -> Data {
        var query = session(of: account)
        query[kSecUseAuthenticationContext as String] = context
        return try data(query)
    }

    /// Removes the token of an account's session, if it has one.
    public func removeSession(of account: String) throws(Problem) { try remove(session(of: account)) }

    // MARK: The device's token, which background work reads while the screen is locked

    /// Stores the token of the device in place of an earlier one.
    public func storeDeviceToken(_ token: Data) throws(Problem) {
        try remove(deviceToken)
        var item = deviceToken
        item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        item[kSecValueData as String] = token
        try add(item)
    }

    /// The token of the device.
    public func readDeviceToken() throws(Problem) -> Data { try data(deviceToken) }

    // MARK: All

    /// Removes all secrets: items of the Keychain stay when their app is removed.
    public func removeEverything() throws(Problem) {
        for service in ["session", "device"] {
            try remove([kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service])
        }
    }

    private func session(of account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "session",
            kSecAttrAccount as String: account,
        ]
    }

    private var deviceToken: [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "device"]
    }

    private func add(_ item: [String: Any]) throws(Problem) {
        let status = keychain.add(item as CFDictionary, nil)
        guard status == errSecSuccess else { throw Problem(status) }
    }

    private func data(_ query: [String: Any]) throws(Problem) -> Data {
        var query = query
        query[kSecReturnData as String] = true
        var result: CFTypeRef?
        let status = keychain.copyMatching(query as CFDictionary, &result)
        guard status == errSecSuccess else { throw Problem(status) }
        guard let data = result as? Data else { throw Problem(errSecDecode) }
        return data
    }

    private func remove(_ query: [String: Any]) throws(Problem) {
        let status = keychain.delete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw Problem(status) }
    }
}
