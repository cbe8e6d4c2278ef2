internal import Documents
internal import Logging

/// Answers the requests of a session's documents with the session's devices.
actor PageCarrier {
    struct RequestID: Hashable {
        let document: BrowserDocuments.ID
        let number: Int
    }

    struct Request {
        let message: PageMessage
        /// The origin that the browser states for the document.
        let origin: String
        /// The work on it; nil while it waits for the user to pick a suggestion.
        var task: Task<Void, Never>?
    }

    private let documents: BrowserDocuments
    let control: ControlClient
    let logger: Logger
    var requests: [RequestID: Request] = [:]
    /// The conditional requests, oldest first.
    var conditional: [RequestID] = []
    /// The session's devices; the last one answers pages.
    private(set) var devices: [PageDevice]

    init(_ documents: BrowserDocuments, _ control: ControlClient, _ device: PageDevice?, logger: Logger) {
        self.documents = documents
        self.control = control
        self.logger = logger
        devices = device.map { [$0] } ?? []
    }

    /// The device that answers pages.
    var device: PageDevice? { devices.last }

    func add(_ device: PageDevice) {
        devices.append(device)
        offerSuggestions()
    }

    func remove(_ name: String) { devices.removeAll { $0.name == name } }

    /// Serves until the browser closes the connection.
    func run() async {
        await documents.run { await self.receive($0) }
        forget { _ in true }
    }

    private func receive(_ event: BrowserDocuments.Event) {
        switch event {
        case .left(let session, let context):
            // The browser aborts the requests of a document that is left.
            forget { id in
                id.document.session == session && (context == nil || id.document.context == context)
            }
        case .message(let text, let document, let origin):
            guard let message = try? PageMessage(parsing: text) else { return }
            receive(message, from: document, of: origin)
        }
    }

    private func receive(_ message: PageMessage, from document: BrowserDocuments.ID, of origin: String) {
        let id = RequestID(document: document, number: message.id)
        if message.kind == .cancel { return forget { $0 == id } }
        requests[id] = Request(message: message, origin: origin)
        if message.kind == .get, message.isConditional {
            conditional.append(id)
            offerSuggestions()
        } else {
            requests[id]?.task = Task { finish(id, await self.answer(to: message, of: origin)) }
        }
    }

    /// Ends a request with its answer, unless the page has left it.
    func finish(_ id: RequestID, _ answer: PageAnswer) {
        guard requests.removeValue(forKey: id) != nil else { return }
        conditional.removeAll { $0 == id }
        documents.answer(id.document, answer.message(to: id.number))
    }

    /// Ends requests that no document waits for; a cancelled ceremony closes the prompt on the device.
    private func forget(_ concerns: (RequestID) -> Bool) {
        for id in requests.keys.filter(concerns) { requests.removeValue(forKey: id)?.task?.cancel() }
        conditional.removeAll(where: concerns)
    }
}
