public import Causes

/// The outcome of a prompt.
public enum GateOutcome: Hashable, Codable, Sendable {
    /// The user was verified.
    case verified(method: VerificationMethod)
    /// The user was not verified.
    case failed(GateFailure)

    /// The outcome as a cause, such as `verified.biometric` or `lockedOut.timed`.
    public var cause: Cause {
        switch self {
        case .verified(.biometric): .verifiedByBiometric
        case .verified(.deviceCredential): .verifiedByDeviceCredential
        case .failed(let failure): failure.cause
        }
    }
}

/// The method that verified the user.
public enum VerificationMethod: Hashable, Codable, Sendable {
    /// A sample that matched this template.
    case biometric(BiometricModality, templateID: [UInt8])
    /// The device's passcode, PIN, pattern or password.
    case deviceCredential
}
