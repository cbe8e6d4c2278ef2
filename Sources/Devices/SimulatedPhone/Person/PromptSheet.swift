/// The texts of a prompt for the user's verification, by an app's own request or for a passkey or a password.
public struct PromptSheet: Hashable, Sendable {
    /// The app that asked.
    public let app: String
    /// The reason that the app gave; empty for a passkey or a password.
    public let reason: String
    /// The title of the fallback button; nil for the system's title, empty for no button.
    public internal(set) var fallbackTitle: String?
    /// The title of the Cancel button; nil for the system's title.
    public internal(set) var cancelTitle: String?
    /// The relying party of a passkey, or the domain of a password; nil for an app's own request.
    public internal(set) var relyingParty: String?
    /// The account of the passkey or the password; nil for an app's own request, and where the phone asks for the account
    /// afterwards.
    public internal(set) var account: String?
}
