/// A document's isolated world.
struct DocumentID: Hashable, Sendable {
    let page: String
    /// The session of its page or frame; with WebDriver BiDi the same as the page.
    let session: String
    /// The execution context in its session, or the realm.
    let context: String
}

/// The events in documents.
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

    /// Evaluates an expression in a document's isolated world, if the document is still there.
    func evaluate(_ expression: String, in id: DocumentID)

    func close()
}

extension PageDocuments {
    /// Hands the answer to a request to the relay; nil: no device can be reached.
    func answer(_ id: DocumentID, number: Int, _ answer: [UInt8]?) {
        let answer = answer.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        evaluate("touchstoneAnswer({id: \(number), ...\(answer)})", in: id)
    }
}
