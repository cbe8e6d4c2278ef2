internal import Documents
internal import Logging

/// Answers the requests of a session's documents with the session's devices.
actor PageCarrier {
    struct RequestID: Hashable {
        let document: DocumentID
        let number: Int
    }

    struct Request {
        let message: PageMessage
        /// The origin that the browser states for the document.
        let origin: String
        /// The work on it; nil while it waits for the user to pick a suggestion.
        var task: Task<Void, Never>?
    }

    private let documents: any PageDocuments
    let control: ControlClient
    let logger: Logger
    /// Learns of each successful ceremony and each signal before the page does.
    private var witnesses: [String: @Sendable (DeviceNews) async -> Void] = [:]
    var requests: [RequestID: Request] = [:]
    /// The conditional requests, oldest first.
    var conditional: [RequestID] = []
    /// The devices; the last one of a page answers its requests.
    private(set) var devices: [PageDevice]

    init(_ documents: any PageDocuments, _ control: ControlClient, _ device: PageDevice?, logger: Logger) {
        self.documents = documents
        self.control = control
        self.logger = logger
        devices = device.map { [$0] } ?? []
    }

    /// The device that answers all pages.
    var device: PageDevice? { devices.last { $0.page == nil } }

    /// The device that answers a document.
    func device(of document: DocumentID) -> PageDevice? {
        devices.last { $0.page == nil || $0.page == document.page }
    }

    /// - Parameter witness: learns of the device's ceremonies and signals.
    func add(_ device: PageDevice, witness: (@Sendable (DeviceNews) async -> Void)? = nil) {
        witnesses[device.name] = witness
        devices.append(device)
        offerSuggestions()
    }

    func remove(_ name: String) {
        devices.removeAll { $0.name == name }
        witnesses[name] = nil
    }

    /// The user of a device comes, or goes: then requests from now on wait.
    func setPresence(_ isPresent: Bool, of name: String) {
        guard let place = devices.firstIndex(where: { $0.name == name }) else { return }
        devices[place].isPresent = isPresent
    }

    /// Serves until the browser closes the connection.
    func run() async {
        await documents.run { await self.receive($0) }
        forget { _ in true }
    }

    private func receive(_ event: DocumentEvent) {
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

    private func receive(_ message: PageMessage, from document: DocumentID, of origin: String) {
        let id = RequestID(document: document, number: message.id)
        if message.kind == .cancel { return forget { $0 == id } }
        let request = Request(message: message, origin: origin)
        requests[id] = request
        let isCeremony = message.kind == .create || message.kind == .get
        if isCeremony, device(of: document)?.isPresent == false {
            hold(id)
        } else if message.kind == .get, message.isConditional {
            conditional.append(id)
            offerSuggestions()
        } else {
            requests[id]?.task = Task { finish(id, await self.answer(to: request, id)) }
        }
    }

    /// Lets a request wait for a user who is not there, as long as the page does; Chromium's authenticators do the same.
    private func hold(_ id: RequestID) {
        let timeout = requests[id]?.message.options?["timeout"]?.integer.map { Duration.milliseconds($0) }
        requests[id]?.task = Task {
            guard (try? await Task.sleep(for: timeout ?? Self.longestHold)) != nil else { return }
            finish(id, .error(.notAllowed))
        }
    }

    /// The longest wait of a request without a timeout.
    private static let longestHold = Duration.seconds(300)

    /// Tells what has happened on a device.
    func tell(_ news: DeviceNews, of device: PageDevice) async { await witnesses[device.name]?(news) }

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
