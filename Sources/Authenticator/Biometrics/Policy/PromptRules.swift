/// Whether a match by a passive sensor, such as a face sensor, must be confirmed.
public enum ConfirmationRule: String, Codable, CaseIterable, Sendable {
    /// Always, whatever the app requests.
    case required
    /// Unless the app waives it: Android's default.
    case appDecides
    /// A match is enough.
    case never
}

/// The effect of the power button while a prompt waits for a sample.
///
/// While the prompt asks for the device credential or a confirmation, the button locks the screen: `systemCancelled`.
public enum PowerButtonRule: String, Codable, CaseIterable, Sendable {
    /// The screen turns off and the system cancels the prompt.
    case systemCancelled
    /// The prompt ends with a specific error, on phones with the fingerprint sensor in the button.
    case powerPressed
    /// The finger on the button is a sample that matches.
    case verifies
}

/// The effect of a second prompt on the open one.
public enum SecondPromptRule: String, Codable, CaseIterable, Sendable {
    /// The open prompt ends as ``GateFailure/systemCancelled`` if the second one can open: Apple and Android.
    case replaces
    /// The second prompt does not open: ``GateFailure/promptInProgress``.
    case refused
}

extension BiometricModality {
    /// Whether its sensors take samples without an action of the user.
    public var isPassive: Bool {
        switch self {
        case .face, .iris: true
        case .fingerprint, .voice: false
        }
    }
}
