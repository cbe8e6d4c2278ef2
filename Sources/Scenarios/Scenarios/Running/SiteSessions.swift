internal import RelyingPartyServer

/// The app's sessions with a relying party, each with cookies of its own, and the texts kept from answers.
struct SiteSessions: Sendable {
    private var clients: [String: RelyingPartyClient]
    /// The session that requests belong to.
    private(set) var current: RelyingPartyClient
    var kept: [String: String] = [:]

    /// The name of the session at the start.
    static let firstName = "app"

    init(first: RelyingPartyClient) {
        current = first
        clients = [Self.firstName: first]
    }

    /// Changes to the session of this name; an unknown name begins a session.
    mutating func use(_ name: String) { current = client(of: name) }

    /// The session of this name; an unknown name begins a session.
    mutating func client(of name: String) -> RelyingPartyClient {
        let client = clients[name] ?? RelyingPartyClient(beside: current)
        clients[name] = client
        return client
    }

    /// A text in which each name in braces is replaced by the text kept under it.
    ///
    /// - Throws: ``PlaybackError`` for a name without a text.
    func filled(_ text: String) throws(PlaybackError) -> String {
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: start)..<end])
            guard let value = kept[name] else {
                throw PlaybackError("no earlier request keeps \"\(name)\"; name it in the request's keep")
            }
            result += rest[..<start] + value
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }
}
