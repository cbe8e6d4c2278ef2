internal import Foundation

/// Where an app is.
package struct AppState: Hashable, Sendable, Codable {
    /// Whether it is on the device.
    package internal(set) var isInstalled = true
    /// Whether it runs, on the screen or behind it; what it has in memory is gone when it does not.
    package internal(set) var isRunning = true
    /// Whether the screen is its own; while the screen is locked nobody's is.
    package internal(set) var isInForeground = true
    /// When it left the screen, since the Unix epoch; nil while it has it, or does not run.
    package internal(set) var leftAt: Duration?

    /// The word for it in commands and scenarios: `foreground`, `background`, `killed` or `absent`.
    package var label: String {
        guard isInstalled else { return "absent" }
        guard isRunning else { return "killed" }
        return isInForeground ? "foreground" : "background"
    }
}

/// What a device remembers of its own life, beside its authenticator and its apps' secrets.
///
/// Codable, since storage keeps it; a member that is added later needs a default, so that older files stay readable.
package struct LifeState: Hashable, Sendable, Codable {
    /// Whether the screen is locked.
    package internal(set) var isLocked = false
    /// Whether the screen was unlocked since the power came, or there is no passcode.
    package internal(set) var hasBeenUnlocked = true
    /// Whether it reaches the network.
    package internal(set) var isOnline = true
    /// Whether another device has taken its place; it was erased then.
    package internal(set) var isReplaced = false
    /// Changes when the passcode is removed, or reset by force: what was bound to the secure lock screen is dead then.
    package internal(set) var lockScreenGeneration: UInt64 = 0
    /// The apps, by name.
    package internal(set) var apps = [SecretID.defaultApp: AppState()]
    /// How long new passkeys stay hidden from sign-in, in seconds.
    package internal(set) var passkeyDelaySeconds = 0
    /// IDs of passkeys that were deleted on this device only, which its account does not bring back.
    package internal(set) var unwantedPasskeys: Set<[UInt8]> = []

    init() {}

    init(encoded: [UInt8]) throws {
        self = try JSONDecoder().decode(LifeState.self, from: Data(encoded))
    }

    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(self))
    }

    /// The app on the screen; nil while the screen is locked.
    package var foregroundApp: String? { isLocked ? nil : apps.first { $0.value.isInForeground }?.key }
}

extension LifeState {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ value: inout Value, _ key: CodingKeys) throws {
            value = try values.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        try read(&isLocked, .isLocked)
        try read(&hasBeenUnlocked, .hasBeenUnlocked)
        try read(&isOnline, .isOnline)
        try read(&isReplaced, .isReplaced)
        try read(&lockScreenGeneration, .lockScreenGeneration)
        try read(&apps, .apps)
        try read(&passkeyDelaySeconds, .passkeyDelaySeconds)
        try read(&unwantedPasskeys, .unwantedPasskeys)
    }
}
