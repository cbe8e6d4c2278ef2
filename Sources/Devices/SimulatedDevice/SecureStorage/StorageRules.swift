internal import Biometrics
internal import PlatformErrors

/// The rules of a platform's secure storage.
struct StorageRules: Sendable {
    /// Whether removing the secure lock screen destroys every key with access control, as Android's
    /// `KeyGenParameterSpec.Builder.setUserAuthenticationRequired` says; Apple's items stay and remain closed.
    let lockScreenGuardsKeys: Bool
    /// Whether every use of a key that an event destroyed reports that, until the app deletes the key's alias, as
    /// Android's `KeyPermanentlyInvalidatedException` does; a lost Keychain item is not found any more.
    let invalidatedKeysStay: Bool
    /// Whether an item may open without a prompt for a time after a verification; the Keychain has no such items.
    let itemsTakeValidity: Bool
    /// The times an item is available where the app does not choose: keys of the Android Keystore work behind a locked
    /// screen unless `setUnlockedDeviceRequired(true)`.
    let defaultAccessibility: SecureStorage.Accessibility
    /// Whether items outlive their app: the Keychain's do, Android's keys do not.
    let itemsOutliveApps: Bool
    /// Whether the user can clear an app's data without removing the app.
    let canClearData: Bool
    /// Whether items can move to a new device: keys of the Android Keystore never do.
    let itemsMigrate: Bool

    init(_ platform: Platform) {
        let isAndroid = platform == .android
        lockScreenGuardsKeys = isAndroid
        invalidatedKeysStay = isAndroid
        itemsTakeValidity = isAndroid
        defaultAccessibility = isAndroid ? .afterFirstUnlock : .whenUnlocked
        itemsOutliveApps = !isAndroid
        canClearData = isAndroid
        itemsMigrate = !isAndroid
    }
}

/// The enrolment a key is bound to; equal until a change that destroys the key by the platform's rule.
struct EnrolmentBinding: Hashable, Sendable {
    let generations: [UInt64]

    /// The binding of a new key; nil for a device without sensors.
    init?(_ gate: UserVerificationGate?) {
        guard let gate, !gate.sensors.isEmpty else { return nil }
        generations = gate.binding.generations.map(\.generation)
    }

    init(generations: [UInt64]) { self.generations = generations }
}
