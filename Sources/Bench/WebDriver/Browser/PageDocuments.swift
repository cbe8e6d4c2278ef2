internal import Documents

/// A document's isolated world.
struct DocumentID: Hashable, Sendable {
    /// The page that the document is part of.
    let page: String
    /// The session of its page or frame; with WebDriver BiDi the same as the page.
    let session: String
    /// The execution context in its session, or the realm.
    let context: String
}

/// What happens in documents.
enum DocumentEvent: Sendable {
    case message(String, DocumentID, origin: String)
    /// The documents of a session are left; nil: all of them.
    case left(session: String, context: String?)
}

/// The documents of a browser: adds the scripts to each, and passes messages on.
protocol PageDocuments: Sendable {
    /// Adds the scripts to all documents from now on; needs ``run(_:)`` in another task.
    func prepare() async throws

    /// Passes messages on until the browser closes the connection.
    func run(_ pass: @Sendable (DocumentEvent) async -> Void) async

    /// Sends an answer; a document that is gone needs none.
    func answer(_ id: DocumentID, _ answer: JSONValue)

    func close()
}

extension PageDocuments {
    /// The expression that hands an answer to the relay.
    static func expression(_ answer: JSONValue) throws -> String {
        "touchstoneAnswer(\(String(decoding: try answer.bytes(), as: UTF8.self)))"
    }
}
