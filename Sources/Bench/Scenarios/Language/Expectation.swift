internal import SimulatedDevice

/// The expected observations of a step; only those named are checked, and always the outcome.
package struct Expectation: Sendable {
    /// One expected observation.
    package struct Check: Sendable {
        /// The line it is written on.
        package let line: Int
        /// The observed quantity.
        package let subject: Subject
        /// The value as written.
        package let value: String
    }

    /// The observable quantities.
    package enum Subject: String, Sendable, CaseIterable {
        /// `ok` or `refused`; default: `ok`.
        case outcome
        /// The DOMException of the page.
        case page
        /// The CTAP status of the device's last refusal.
        case status
        /// The reason label of the device's last refusal.
        case reason
        /// The client's own reason label.
        case client
        /// The cause of the refusal, as ``PlatformErrorTable`` names it.
        case cause
        /// The HTTP status of the relying party's last answer.
        case http
        /// The machine code of the relying party's error.
        case code
        /// The verification step that failed, such as `a10`.
        case ledger
        /// A part of an error that a page or an app gets.
        case told
        /// The number of samples and passcodes requested.
        case prompts
        /// The number of touches requested.
        case touches
        /// Whether UV is set in the authenticator data.
        case userVerified = "user-verified"
        /// The signature counter in the authenticator data.
        case signCount = "sign-count"
        /// The number of passkeys the relying party lists.
        case passkeys
        /// The lockout of the device's sensors: none, timed, permanent, exhausted.
        case lockout
        /// Consecutive failed attempts at the device's sensors.
        case failures
        /// Built-in user verification retries left.
        case uvRetries = "uv-retries"
        /// PIN retries left.
        case pinRetries = "pin-retries"
        /// Discoverable credentials on the device.
        case credentials
        /// Names of the templates enrolled on the device.
        case enrolled
        /// Whether BS is set in the authenticator data.
        case backedUp = "backed-up"
        /// The result of an act: the secret read, or the time an app was away.
        case answer
        /// Names of the items in the device's secure storage; another app's with its name before it, `mail/token`.
        case items
        /// The device's screen: locked or unlocked.
        case screen
        /// The device's network: online or offline.
        case network
        /// The app's state: foreground, background, killed or absent; another app's with its name before it.
        case app
    }

    /// The checks, in the order written.
    package let checks: [Check]

    /// The outcome expected.
    var outcome: String {
        checks.first { $0.subject == .outcome }?.value ?? "ok"
    }
}
