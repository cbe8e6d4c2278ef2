package import Biometrics

extension SecureStorage {
    /// Who may open an item: a key's access control.
    package enum Access: String, Sendable, CaseIterable, Codable {
        /// Whoever holds the device while the item is within reach.
        case none
        /// The people enrolled now (`biometryCurrentSet`; what Android's keys for biometrics alone are).
        case currentSet = "current-set"
        /// Whoever is enrolled when it is read (`biometryAny`; `setInvalidatedByBiometricEnrollment(false)`).
        case anyBiometry = "any-biometry"
        /// Whoever is enrolled, or knows the passcode (`userPresence`; `DEVICE_CREDENTIAL` besides biometrics).
        case biometryOrPasscode = "biometry-or-passcode"
        /// Whoever knows the passcode (`devicePasscode`; `DEVICE_CREDENTIAL` alone).
        case passcode

        /// Whether a biometric opens it.
        var admitsBiometry: Bool { self == .currentSet || self == .anyBiometry || self == .biometryOrPasscode }
        /// Whether the passcode opens it.
        var admitsPasscode: Bool { self == .biometryOrPasscode || self == .passcode }
    }

    /// When an item is within reach at all (`kSecAttrAccessible…`; `setUnlockedDeviceRequired`).
    package enum Accessibility: String, Sendable, CaseIterable, Codable {
        /// While the screen is unlocked.
        case whenUnlocked = "when-unlocked"
        /// From the first unlock after the power came.
        case afterFirstUnlock = "after-first-unlock"
        /// While the screen is unlocked, on a device with a passcode; gone with the passcode.
        case whenPasscodeSet = "when-passcode-set"
        /// At any time.
        case always
    }

    /// What keeps an item from others.
    package struct Protection: Hashable, Sendable, Codable {
        /// Who may open it.
        package var access: Access
        /// When it is within reach.
        package var accessibility: Accessibility
        /// The weakest biometric the app accepts; keys take none but class 3 (Android CDD 7.3.10).
        package var strength: StrengthClass
        /// For how many seconds after the person was verified, by whomever, it opens without asking; nil asks each time.
        package var validitySeconds: Int?
        /// Whether it follows its owner to a new device, as an item without `ThisDeviceOnly` in a backup.
        package var migrates: Bool

        package init(
            _ access: Access = .none, _ accessibility: Accessibility = .whenUnlocked,
            strength: StrengthClass = .class3, validitySeconds: Int? = nil, migrates: Bool = false
        ) {
            self.access = access
            self.accessibility = accessibility
            self.strength = strength
            self.validitySeconds = validitySeconds
            self.migrates = migrates
        }
    }
}
