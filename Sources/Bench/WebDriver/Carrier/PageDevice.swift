internal import Documents

/// A device of a session, and its user's settings for pages.
struct PageDevice: Sendable {
    /// Its name at the control API.
    let name: String
    /// The user's part of each ceremony: members of the ceremony's body, such as PINs and the chosen account.
    var answers: [String: JSONValue] = [:]
    /// Whether the user picks a suggested passkey as soon as a field offers one.
    var picksSuggestions = false
}
