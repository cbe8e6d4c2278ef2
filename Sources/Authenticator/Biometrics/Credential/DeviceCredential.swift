/// The secret that unlocks the device and is the fallback for its biometrics.
public struct DeviceCredential: Equatable, Sendable {
    /// The kind of a device credential.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// A passcode, as on iOS and macOS.
        case passcode
        /// A PIN.
        case pin
        /// A pattern, as on Android.
        case pattern
        /// A password.
        case password
    }

    /// The kind.
    public internal(set) var kind: Kind
    /// Wrong entries in a row, in prompts and on the unlock screen together.
    public internal(set) var failedAttempts: Int
    /// The end of the delay after wrong entries; `nil` for none.
    public internal(set) var lockedUntil: Duration?
    /// Whether it is disabled until another is set.
    public internal(set) var isDisabled = false

    /// Describes a device credential.
    public init(kind: Kind, failedAttempts: Int = 0) {
        self.kind = kind
        self.failedAttempts = failedAttempts
    }

    /// The reason the credential cannot be entered at a given time; nil if it can.
    func obstacle(at now: Duration) -> GateFailure? {
        if isDisabled { return .credentialLockedOutPermanently }
        guard let lockedUntil, now < lockedUntil else { return nil }
        return .credentialLockedOut(until: lockedUntil)
    }
}

extension DeviceCredential: Codable, MemberwiseCodable {
    static let blank = DeviceCredential(kind: .pin)

    static let members: [Member<DeviceCredential>] = [
        Member("kind", \.kind, isRequired: true),
        Member("failedAttempts", \.failedAttempts, isRequired: true),
        Member("lockedUntil", \.lockedUntil),
        Member("isDisabled", \.isDisabled),
    ]
}
