internal import Documents

/// A device of a session, and its user's settings for pages.
struct PageDevice: Sendable {
    /// Its name at the control API.
    let name: String
    /// The user's part of each ceremony: members of the ceremony's body, such as PINs and the chosen account.
    var answers: [String: JSONValue] = [:]
    /// Whether the user picks a suggested passkey as soon as a field offers one.
    var picksSuggestions = false
    /// The page that it answers; nil: all of them.
    var page: String?
    /// Whether its user is there; a request that begins without the user waits.
    var isPresent = true
}

/// An event on a device at a page's request.
enum DeviceNews: Sendable {
    case created(credential: String)
    case asserted(credential: String)
    /// A signal may have deleted or changed credentials.
    case signalled
}
