internal import SimulatedDevice

#if canImport(Security)
internal import Security
#endif

/// A value of `kSecAttrAccessible`.
struct KeychainAccessible: Hashable, Sendable {
    /// The value in dictionaries.
    let value: String
    let accessibility: SecureStorage.Accessibility
    /// Whether the item moves to a new device.
    let migrates: Bool

    private init(_ value: String, _ accessibility: SecureStorage.Accessibility, migrates: Bool) {
        (self.value, self.accessibility, self.migrates) = (value, accessibility, migrates)
    }

    /// The values that the simulation knows.
    static let all = [
        Self(kSecAttrAccessibleWhenUnlocked as String, .whenUnlocked, migrates: true),
        Self(kSecAttrAccessibleAfterFirstUnlock as String, .afterFirstUnlock, migrates: true),
        Self(DeprecatedName.accessibleAlways, .always, migrates: true),
        Self(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String, .whenPasscodeSet, migrates: false),
        Self(kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String, .whenUnlocked, migrates: false),
        Self(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String, .afterFirstUnlock, migrates: false),
        Self(DeprecatedName.accessibleAlwaysThisDeviceOnly, .always, migrates: false),
    ]

    /// The value of an item whose app chose none.
    static let usual = Self(kSecAttrAccessibleWhenUnlocked as String, .whenUnlocked, migrates: true)

    init?(_ value: String) {
        guard let known = Self.all.first(where: { $0.value == value }) else { return nil }
        self = known
    }
}
