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
    private var classBits: UInt8

    /// Describes a rule.
    ///
    /// - Throws: ``GatePolicyError`` for a rule without conditions, or with invalid numbers.
    public init(
        classes: [StrengthClass] = [], sinceCredential: Duration? = nil, sinceUnlock: Duration? = nil,
        sinceBiometric: Duration? = nil, failures: Int? = nil
    ) throws(GatePolicyError) {
        self.init(
            unchecked: classes, sinceCredential: sinceCredential, sinceUnlock: sinceUnlock,
            sinceBiometric: sinceBiometric, failures: failures)
        try validate()
    }

    /// Checks a changed rule.
    package func validate() throws(GatePolicyError) {
        guard sinceCredential != nil || sinceUnlock != nil || sinceBiometric != nil || failures != nil else {
            throw .emptyRule
        }
        try GatePolicyError.require(sinceCredential, "sinceCredential")
        try GatePolicyError.require(sinceUnlock, "sinceUnlock")
        try GatePolicyError.require(sinceBiometric, "sinceBiometric")
        try GatePolicyError.require(failures, atLeast: 1, "failures")
    }

    /// Describes a rule without checking it: ``validate()`` does.
    package init(
        unchecked classes: [StrengthClass], sinceCredential: Duration? = nil, sinceUnlock: Duration? = nil,
        sinceBiometric: Duration? = nil, failures: Int? = nil
    ) {
        classBits = Self.bits(of: classes)
        self.sinceCredential = sinceCredential
        self.sinceUnlock = sinceUnlock
        self.sinceBiometric = sinceBiometric
        self.failures = failures
    }

    /// The classes of sensors it applies to; empty for all.
    public package(set) var classes: [StrengthClass] {
        get { StrengthClass.allCases.filter { classBits & $0.bit != 0 } }
        set { classBits = Self.bits(of: newValue) }
    }

    private static func bits(of classes: [StrengthClass]) -> UInt8 { classes.reduce(0) { $0 | $1.bit } }

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

extension StrongAuthenticationRule {
    /// iOS: no unlock for 48 h; or no passcode for 156 h and no biometric unlock for 4 h.
    public static let apple = [
        StrongAuthenticationRule(unchecked: [], sinceUnlock: .seconds(48 * 3600)),
        StrongAuthenticationRule(
            unchecked: [], sinceCredential: .seconds(156 * 3600), sinceBiometric: .seconds(4 * 3600)),
    ]

    /// Android: the screen lock every 72 h for class 3; every 24 h, or after 4 h idle, for the classes below it, and
    /// for class 1 after three failures, too (CDD 7.3.10).
    public static let android = [
        StrongAuthenticationRule(unchecked: [.class3], sinceCredential: .seconds(72 * 3600)),
        StrongAuthenticationRule(unchecked: [.class1, .class2], sinceCredential: .seconds(24 * 3600)),
        StrongAuthenticationRule(unchecked: [.class1, .class2], sinceUnlock: .seconds(4 * 3600)),
        StrongAuthenticationRule(unchecked: [.class1], failures: 3),
    ]
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

/// The last times of the events that the rules name; all clocks start with the first input to a gate.
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

/// Encoded durations are whole milliseconds.
extension StrongAuthenticationRule: Codable {
    private enum CodingKeys: String, CodingKey {
        case classes
        case sinceCredential = "sinceCredentialMilliseconds"
        case sinceUnlock = "sinceUnlockMilliseconds"
        case sinceBiometric = "sinceBiometricMilliseconds"
        case failures
    }

    /// Decodes the value, and checks it as the initializer does.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func span(_ key: CodingKeys) throws -> Duration? {
            try values.decodeIfPresent(Int64.self, forKey: key).map { .milliseconds($0) }
        }
        do {
            try self.init(
                classes: values.decodeIfPresent([StrengthClass].self, forKey: .classes) ?? [],
                sinceCredential: span(.sinceCredential), sinceUnlock: span(.sinceUnlock),
                sinceBiometric: span(.sinceBiometric), failures: values.decodeIfPresent(Int.self, forKey: .failures))
        } catch let error as GatePolicyError {
            throw error.decodingError(at: decoder.codingPath)
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        if !classes.isEmpty { try values.encode(classes, forKey: .classes) }
        try values.encodeIfPresent(sinceCredential?.wholeMilliseconds, forKey: .sinceCredential)
        try values.encodeIfPresent(sinceUnlock?.wholeMilliseconds, forKey: .sinceUnlock)
        try values.encodeIfPresent(sinceBiometric?.wholeMilliseconds, forKey: .sinceBiometric)
        try values.encodeIfPresent(failures, forKey: .failures)
    }
}
