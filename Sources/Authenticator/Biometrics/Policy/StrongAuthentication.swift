/// A rule by which the device credential is due; all its conditions must hold.
///
/// A duration has passed at its end: a rule of 48 hours holds exactly 48 hours after the unlock.
public struct StrongAuthenticationRule: Hashable, Sendable {
    /// The minimum time since the device credential was entered.
    public package(set) var sinceCredential: Duration?
    /// The minimum time since the device was unlocked.
    public package(set) var sinceUnlock: Duration?
    /// The minimum time since the device was unlocked by a biometric.
    public package(set) var sinceBiometric: Duration?
    /// The minimum number of failed attempts in a row at the sensor.
    public package(set) var failures: Int?
    /// A bit for each class; read with every act, and cheaper than a list.
    private var classBits: UInt8 = 0

    /// Describes a rule.
    ///
    /// - Throws: ``GatePolicyError`` for a rule without conditions, or with invalid numbers.
    public init(
        classes: [StrengthClass] = [], sinceCredential: Duration? = nil, sinceUnlock: Duration? = nil,
        sinceBiometric: Duration? = nil, failures: Int? = nil
    ) throws(GatePolicyError) {
        (self.sinceCredential, self.sinceUnlock, self.sinceBiometric) = (sinceCredential, sinceUnlock, sinceBiometric)
        (self.failures, self.classes) = (failures, classes)
        try validate()
    }

    /// A rule without conditions, to be changed and checked by ``validate()``.
    package init() {}

    package func validate() throws(GatePolicyError) {
        guard sinceCredential != nil || sinceUnlock != nil || sinceBiometric != nil || failures != nil else {
            throw .emptyRule
        }
        try GatePolicyError.require(sinceCredential, "sinceCredential")
        try GatePolicyError.require(sinceUnlock, "sinceUnlock")
        try GatePolicyError.require(sinceBiometric, "sinceBiometric")
        try GatePolicyError.require(failures, atLeast: 1, "failures")
    }

    /// The classes of sensors it applies to; empty for all.
    public package(set) var classes: [StrengthClass] {
        get { StrengthClass.allCases.filter { classBits & $0.bit != 0 } }
        set { classBits = newValue.reduce(0) { $0 | $1.bit } }
    }

    /// Whether it applies to sensors of a class.
    public func binds(_ strength: StrengthClass) -> Bool { classBits == 0 || classBits & strength.bit != 0 }

    func holds(_ clocks: StrongAuthenticationClocks, failures count: Int, at now: Duration) -> Bool {
        if let failures, count < failures { return false }
        if let sinceCredential, now < clocks.credential.later(by: sinceCredential) { return false }
        if let sinceUnlock, now < clocks.unlock.later(by: sinceUnlock) { return false }
        if let sinceBiometric, now < clocks.biometric.later(by: sinceBiometric) { return false }
        return true
    }
}

extension StrengthClass {
    fileprivate var bit: UInt8 { 1 << UInt8(rawValue) }
}

/// The prompts for which the rules of strong authentication hold; a credential that an event requires is due at each.
public enum StrongAuthenticationScope: String, Codable, CaseIterable, Sendable {
    /// Every prompt: Apple.
    case everyPrompt
    /// The lock screen's prompt; apps' prompts have no such status: Android (`PreAuthInfo`, `LockSettingsStrongAuth`).
    case unlockPrompt
}

/// The reason the device credential is due.
public enum StrongAuthenticationReason: String, Codable, CaseIterable, Sendable {
    /// A rule's time has passed.
    case time
    /// A rule's number of attempts has failed.
    case failures
    /// The device has been switched on since.
    case restart
    /// The device was locked remotely.
    case remoteLock
    /// The user switched biometrics off: iOS's power-off screen, Android's lockdown.
    case emergencyGesture
}

/// The last times of the events that the rules name; all clocks start when the device is first switched on.
struct StrongAuthenticationClocks: Equatable, Codable, Sendable {
    /// The device credential was entered correctly, or set.
    var credential: Duration
    /// The device was unlocked: by the credential, or at an unlock prompt.
    var unlock: Duration
    /// The device was unlocked by a biometric, at an unlock prompt.
    var biometric: Duration

    init(startingAt now: Duration) {
        credential = now
        unlock = now
        biometric = now
    }
}

extension StrongAuthenticationRule: Codable, MemberwiseCodable {
    static let blank = StrongAuthenticationRule()

    static let members: [StoredMember<StrongAuthenticationRule>] = [
        StoredMember("classes", \.classes),
        StoredMember(milliseconds: "sinceCredentialMilliseconds", \.sinceCredential),
        StoredMember(milliseconds: "sinceUnlockMilliseconds", \.sinceUnlock),
        StoredMember(milliseconds: "sinceBiometricMilliseconds", \.sinceBiometric),
        StoredMember("failures", \.failures),
    ]
}
