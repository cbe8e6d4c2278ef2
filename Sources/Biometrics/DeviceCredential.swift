/// The secret that unlocks the device and stands behind its biometrics.
public struct DeviceCredential: Equatable, Codable, Sendable {
    /// What a person types or draws.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case passcode
        case pin
        case pattern
        case password
    }

    /// What a person types or draws.
    public let kind: Kind
    /// Wrong entries in a row, in prompts and on the unlock screen together.
    public internal(set) var failedAttempts: Int

    /// Describes a device credential.
    public init(kind: Kind, failedAttempts: Int = 0) {
        self.kind = kind
        self.failedAttempts = failedAttempts
    }
}
