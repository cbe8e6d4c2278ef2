internal import SimulatedDevice

/// What a step should have led to; what is not mentioned is not looked at, but for the outcome.
package struct Expectation: Sendable {
    /// One thing to look at, with the value it should have.
    package struct Check: Sendable {
        /// The line it is written on.
        package let line: Int
        /// What to look at.
        package let subject: Subject
        /// The value as written.
        package let value: String
    }

    /// What can be looked at.
    package enum Subject: String, Sendable, CaseIterable {
        /// `ok` or `refused`; `ok` unless a step says otherwise.
        case outcome
        /// The DOMException a page got.
        case page
        /// The CTAP status of the device's last refusal.
        case status
        /// The reason label of the device's last refusal.
        case reason
        /// The client's own reason label.
        case client
        /// The cause behind it all, as ``PlatformErrorTable`` names it.
        case cause
        /// The HTTP status of the relying party's last answer.
        case http
        /// The machine code of the relying party's error.
        case code
        /// The verification step that failed, such as `a10`.
        case ledger
        /// A line an app would have been told; part of it is enough.
        case told
        /// How many samples and passcodes the person was asked for.
        case prompts
        /// How many touches the person was asked for.
        case touches
        /// Whether the credential's answer said the user was verified.
        case userVerified = "user-verified"
        /// The signature counter in the last answer.
        case signCount = "sign-count"
        /// How many passkeys the relying party lists.
        case passkeys
        /// The lockout of the device's gate: none, timed, permanent, exhausted.
        case lockout
        /// Failed attempts in a row at the device's gate.
        case failures
        /// Built-in verification retries left.
        case uvRetries = "uv-retries"
        /// PIN retries left.
        case pinRetries = "pin-retries"
        /// Discoverable credentials on the device.
        case credentials
        /// Names of people enrolled on the device.
        case enrolled
        /// Whether the credential's answer said that it is backed up: BS.
        case backedUp = "backed-up"
        /// What the act was told: the secret that was read, how long an app was away.
        case answer
        /// Names of the items in the device's secure storage; another app's with the app before it, `mail/token`.
        case items
        /// The device's screen: locked or unlocked.
        case screen
        /// The device's network: online or offline.
        case network
        /// Where the app is: foreground, background, killed or absent; another app with its name before it.
        case app
    }

    /// The checks, in the order written.
    package let checks: [Check]

    /// The outcome expected.
    var outcome: String {
        checks.first { $0.subject == .outcome }?.value ?? "ok"
    }
}
