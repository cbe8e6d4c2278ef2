/// The reason why a browser cannot be reached.
struct BrowserConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String

    static let closed = BrowserConnectionError(description: "the browser closed the connection")
}
