/// The reasons why a system does not give an app a credential.
extension Cause {
    /// The app is not associated with the relying party's domain.
    public static let domainNotAssociated = Cause("domainNotAssociated")
    /// A passkey is made without a prompt only after a sign-in with the account's saved password.
    public static let passwordSignInMissing = Cause("passwordSignInMissing")
    /// The user prefers an existing account of Sign in with Apple.
    public static let signInWithApplePreferred = Cause("signInWithApplePreferred")
    /// The sheet for a security key ended before one was connected.
    public static let securityKeyTimedOut = Cause("securityKeyTimedOut")
    /// The request failed for another reason, which its error states.
    public static let requestFailed = Cause("requestFailed")
}
