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

    private init(_ value: CFString, _ accessibility: SecureStorage.Accessibility, migrates: Bool) {
        (self.value, self.accessibility, self.migrates) = (value as String, accessibility, migrates)
    }

    /// The values that the simulation knows.
    static let all = [
        Self(kSecAttrAccessibleWhenUnlocked, .whenUnlocked, migrates: true),
        Self(kSecAttrAccessibleAfterFirstUnlock, .afterFirstUnlock, migrates: true),
        Self(always, .always, migrates: true),
        Self(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .whenPasscodeSet, migrates: false),
        Self(kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .whenUnlocked, migrates: false),
        Self(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly, .afterFirstUnlock, migrates: false),
        Self(alwaysThisDeviceOnly, .always, migrates: false),
    ]

    // Apple's own constants for these two are deprecated, which its compiler warns about.
    private static let always = "dk" as CFString
    private static let alwaysThisDeviceOnly = "dku" as CFString

    /// The value of an item whose app chose none.
    static let usual = Self(kSecAttrAccessibleWhenUnlocked, .whenUnlocked, migrates: true)

    init?(_ value: String) {
        guard let known = Self.all.first(where: { $0.value == value }) else { return nil }
        self = known
    }
}
