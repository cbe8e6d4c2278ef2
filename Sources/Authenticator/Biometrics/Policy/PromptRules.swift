/// Whether a match by a sensor that looks without being asked to, such as one for faces, must be confirmed.
public enum ConfirmationRule: String, Codable, CaseIterable, Sendable {
    /// Always, whatever the app says.
    case required
    /// Unless the app says that it is not needed: Android's default.
    case appDecides
    /// A match is enough.
    case never
}

/// The effect of the power button while a prompt waits for a sample.
///
/// Where the device credential is asked for, or a confirmation, it locks the screen like a call: `systemCancelled`.
public enum PowerButtonRule: String, Codable, CaseIterable, Sendable {
    /// The screen goes dark, and the system takes the prompt away.
    case systemCancelled
    /// The prompt ends with an error of its own: phones whose fingerprint sensor sits in the button.
    case powerPressed
    /// The finger on the button is taken for a sample, and matches.
    case verifies
}

extension BiometricModality {
    /// Whether a sensor for it takes samples without an action of the user.
    public var isPassive: Bool {
        switch self {
        case .face, .iris: true
        case .fingerprint, .voice: false
        }
    }
}
