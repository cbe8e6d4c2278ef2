internal import Biometrics
internal import PlatformErrors

/// What a platform's secure storage does of its own accord.
struct StorageRules: Sendable {
    /// Whether every key that asks for the person dies with the secure lock screen.
    ///
    /// Android: `KeyGenParameterSpec.Builder.setUserAuthenticationRequired`. Apple's items stay, and stay closed.
    let lockScreenGuardsKeys: Bool
    /// Whether items outlive the app that stored them: the Keychain's do, Android's keys go with the app.
    let itemsOutliveApps: Bool
    /// Whether a person can clear an app's data and keep the app.
    let canClearData: Bool
    /// Whether anything follows its owner to a new device: keys of the Android Keystore never do.
    let itemsMigrate: Bool

    init(_ platform: Platform) {
        let isAndroid = platform == .android
        lockScreenGuardsKeys = isAndroid
        itemsOutliveApps = !isAndroid
        canClearData = isAndroid
        itemsMigrate = !isAndroid
    }
}

/// The people who were enrolled when a key was bound to them; equal as long as the platform's rule says it may live.
struct EnrolmentBinding: Hashable, Sendable {
    let generations: [UInt64]

    /// The binding a new key gets; nil where there is no sensor.
    init?(_ gate: UserVerificationGate?) {
        guard let gate, !gate.sensors.isEmpty else { return nil }
        generations = gate.binding.generations.map(\.generation)
    }

    init(generations: [UInt64]) {
        self.generations = generations
    }
}
