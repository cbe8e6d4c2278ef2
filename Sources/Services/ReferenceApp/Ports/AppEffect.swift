/// A request of the app to its device or to the network.
package enum AppEffect: Hashable, Sendable {
    case savePreferences(AppPreferences)
    case store(AppItem, String, ItemAccess)
    /// Reads an item; a bound one prompts the user.
    case read(AppItem)
    case delete(AppItem)
    /// Verifies the user with the sensor alone.
    case verifyUser
    case cancelPrompt
    /// Keeps what tells of a change of the enrolled templates: the domain state, or a key that a change destroys.
    case rememberEnrolment
    /// Checks whether the guarded item can still be opened, without a prompt.
    case checkEnrolment
    case compareEnrolment
    /// Opens a page in the in-app browser: a path with its query.
    case openPage(String)
    case answerPage(approves: Bool)
    case closePage
    case send(AppRequest)
    /// Makes a passkey: `navigator.credentials.create`.
    case createPasskey(options: String)
    /// Requests a passkey: `navigator.credentials.get`.
    case getPasskey(options: String, isConditional: Bool)
    case abortPasskeyRequest
    /// Tells the passkey provider that the server no longer knows a passkey.
    case signalUnknownPasskey(id: String)
}

/// An item of the app in secure storage; the raw value is its name there.
package enum AppItem: String, CaseIterable, Sendable {
    /// The tokens of a session that opens without the sensor.
    case session
    /// The tokens of a session that opens with the sensor.
    case biometricSession = "biometric-session"
    /// The state of a login at a provider, which outlives the app's process.
    case loginAttempt = "login-attempt"
    /// The refresh token of a session whose logout did not reach the server.
    case endedSession = "ended-session"
}

/// The protection of an item.
package enum ItemAccess: Hashable, Sendable {
    /// Encrypted, without a verification of the user.
    case unguarded
    /// Opened by a template that was enrolled when it was stored.
    case boundToEnrolment
}
