/// The texts of a prompt for the user's verification.
public struct PromptSheet: Hashable, Sendable {
    /// The app that asked.
    public let app: String
    /// The reason that the app gave.
    public let reason: String
    /// The title of the fallback button; nil for the system's title, empty for no button.
    public let fallbackTitle: String?
    /// The title of the Cancel button; nil for the system's title.
    public let cancelTitle: String?
}
