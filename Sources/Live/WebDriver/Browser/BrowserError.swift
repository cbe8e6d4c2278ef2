/// The reason why a browser cannot be reached.
struct BrowserError: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String

    static let closed = BrowserError(description: "the browser closed the connection")
}
