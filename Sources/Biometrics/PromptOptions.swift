/// What the one who asks for verification allows.
public struct PromptOptions: Hashable, Codable, Sendable {
    /// Whether the device credential may stand in for the biometric, where the policy has it stand in at all.
    public var allowsDeviceCredential: Bool

    /// Says what is allowed.
    public init(allowsDeviceCredential: Bool) {
        self.allowsDeviceCredential = allowsDeviceCredential
    }
}

/// Where a gate is in a prompt.
public enum GateStage: String, Codable, CaseIterable, Sendable {
    /// No prompt is up.
    case idle
    /// The sensor waits for a sample.
    case sensing
    /// The prompt asks for the device credential.
    case deviceCredential
}

/// A prompt that is up.
struct Prompt: Equatable, Codable, Sendable {
    enum Stage: String, Codable {
        case sensing
        case deviceCredential
    }

    let options: PromptOptions
    let deadline: Duration
    var stage: Stage
    var failures = 0
    var credentialFailures = 0
}
