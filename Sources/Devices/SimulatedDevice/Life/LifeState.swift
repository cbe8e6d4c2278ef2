internal import Foundation

/// An app's state.
package struct AppState: Hashable, Sendable, Codable {
    package internal(set) var isInstalled = true
    /// Whether the app is running, in the foreground or background; its memory ends with its process.
    package internal(set) var isRunning = true
    /// Whether the app is in the foreground; no app is while the screen is locked.
    package internal(set) var isInForeground = true
    /// The time it left the foreground, since the Unix epoch; nil for an app in the foreground or not running.
    package internal(set) var leftAt: Duration?
    /// Whether the user has denied it the sensor; nil for no.
    var isSensorDenied: Bool?
    /// The `evaluatedPolicyDomainState` it has kept; nil before its first comparison.
    var domainState: [UInt8]?

    private var removals: UInt64?
    /// The number of times that its data was removed: with the app, or by the user.
    package internal(set) var dataRemovals: UInt64 {
        get { removals ?? 0 }
        // Zero is written in one way, so that states without a removal are equal.
        set { removals = newValue == 0 ? nil : newValue }
    }

    private enum Label: String, CaseIterable { case foreground, background, killed, absent }

    /// The words in commands and scenarios.
    package static let labels = Label.allCases.map(\.rawValue)

    /// The word in commands and scenarios: `foreground`, `background`, `killed` or `absent`.
    package var label: String {
        guard isInstalled else { return Label.absent.rawValue }
        guard isRunning else { return Label.killed.rawValue }
        return (isInForeground ? Label.foreground : .background).rawValue
    }
}

/// The state of a screen.
package enum ScreenState: String, Sendable, CaseIterable, Codable { case locked, unlocked }

/// The state of a network.
package enum NetworkState: String, Sendable, CaseIterable, Codable { case online, offline }

/// A device's state outside its authenticator and its apps' secrets.
///
/// Storage keeps the encoded form. A new member needs a default, so that older files stay readable.
package struct LifeState: Hashable, Sendable, Codable {
    package internal(set) var isLocked = false
    /// Whether the screen was unlocked since the last start, or no passcode is set.
    package internal(set) var hasBeenUnlocked = true
    package internal(set) var isOnline = true
    /// Whether another device has replaced this one, which was then erased.
    package internal(set) var isReplaced = false
    /// Changes when the passcode is removed or reset by force, which destroys keys bound to the secure lock screen.
    package internal(set) var lockScreenGeneration: UInt64 = 0
    package internal(set) var apps = [SecretID.defaultApp: AppState()]
    /// The time in seconds for which new passkeys stay hidden from sign-in.
    package internal(set) var passkeyDelaySeconds = 0
    /// IDs of passkeys deleted on this device only; its account does not restore them.
    package internal(set) var unwantedPasskeys: Set<[UInt8]> = []
    /// Whether Stolen Device Protection or Identity Check is on.
    var hasTheftProtection = false
    /// Whether the device is away from the places where it is used often.
    var isAway = false
    /// The end of the hour that a protected change waits for; nil when none was requested.
    var securityDelayEnd: Duration?

    init() {}

    init(encoded: [UInt8]) throws { self = try JSONDecoder().decode(LifeState.self, from: Data(encoded)) }

    func encoded() throws -> [UInt8] { Array(try JSONEncoder.sorted.encode(self)) }

    /// Whether the device refuses the passcode in place of the sensor.
    package var needsSensor: Bool { hasTheftProtection && isAway }

    package var screen: ScreenState { isLocked ? .locked : .unlocked }
    package var network: NetworkState { isOnline ? .online : .offline }

    /// The app in the foreground; nil while the screen is locked.
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
        try read(&hasTheftProtection, .hasTheftProtection)
        try read(&isAway, .isAway)
        securityDelayEnd = try values.decodeIfPresent(Duration.self, forKey: .securityDelayEnd)
    }
}
