internal import ControlAPI
internal import Documents
internal import Logging
internal import LoopbackHTTP

/// Takes the requests of a session's documents to the session's devices, and the answers back.
actor SessionPages {
    private struct RequestID: Hashable {
        let document: DocumentID
        let number: Int
    }

    private struct Request {
        let message: JSONValue
        /// The origin that the browser states for the document.
        let origin: String
        /// The device that it has reached; nil while no device answers its document.
        var device: String?
        /// Counts the devices that it has reached.
        var round = 0
        var task: Task<Void, Never>?
    }

    private let documents: any PageDocuments
    let control: ControlClient
    private let logger: Logger
    /// Learns of each successful ceremony and each signal before the page does.
    private var witnesses: [String: @Sendable (DeviceNews) async -> Void] = [:]
    private var requests: [RequestID: Request] = [:]
    /// The conditional requests, oldest first.
    private var conditional: [RequestID] = []
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
    private func device(of document: DocumentID) -> PageDevice? {
        devices.last { $0.page == nil || $0.page == document.page }
    }

    func add(_ device: PageDevice, witness: (@Sendable (DeviceNews) async -> Void)? = nil) {
        witnesses[device.name] = witness
        devices.append(device)
        rerouteConditional()
    }

    func remove(_ name: String) {
        devices.removeAll { $0.name == name }
        witnesses[name] = nil
        rerouteConditional()
    }

    /// Says whether the user of a device is present; while the user is absent, new requests wait.
    func setPresence(_ isPresent: Bool, of name: String) {
        guard let place = devices.firstIndex(where: { $0.name == name }) else { return }
        devices[place].isPresent = isPresent
    }

    /// Lets users who pick suggestions at once look for a passkey again.
    func offerSuggestions() async {
        for device in devices where device.picksSuggestions { await control.server.offerSuggestions(on: device.name) }
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
            guard let message = try? JSONValue(parsing: Array(text.utf8)), let number = message["id"]?.integer else {
                return
            }
            let id = RequestID(document: document, number: number)
            if message["kind"] == "cancel" { return forget { $0 == id } }
            requests[id] = Request(message: message, origin: origin)
            if message["kind"] == "get", message["mediation"] == "conditional" {
                conditional.append(id)
                rerouteConditional()
            } else {
                start(id, with: device(of: document))
            }
        }
    }

    /// Takes conditional requests to the devices that answer their documents now.
    private func rerouteConditional() {
        for id in conditional {
            let device = device(of: id.document)
            if let device, device.name != requests[id]?.device { start(id, with: device) }
        }
    }

    private func start(_ id: RequestID, with device: PageDevice?) {
        guard var request = requests[id] else { return }
        request.task?.cancel()
        request.device = device?.name
        request.round += 1
        var body = device?.answers ?? [:]
        body["message"] = request.message
        body["origin"] = .text(request.origin)
        body["page"] = Self.requestName(of: id)
        body["autofill"] = .bool(device?.picksSuggestions ?? false)
        let round = request.round
        request.task = Task { [body] in await serve(id, round, .object(body), with: device) }
        requests[id] = request
    }

    /// The name of a request at the control API.
    private static func requestName(of id: RequestID) -> JSONValue {
        .text("\(id.document.session) \(id.document.context) \(id.number)")
    }

    private func serve(_ id: RequestID, _ round: Int, _ body: JSONValue, with device: PageDevice?) async {
        let answer: [UInt8]?
        do {
            let given = try await control.server.answerPage(
                body, with: device?.name, isUserPresent: device?.isPresent ?? true)
            if let device { await tell(body["message"]?["kind"]?.text, given, of: device) }
            if case .error(let error) = given, let warning = error.warning { logger.info("\(warning)") }
            answer = try given.json()
        } catch {
            // The page has left its request, or another device answers it.
            guard requests[id]?.round == round else { return }
            if let error = error as? APIError, [404, 409].contains(error.status), conditional.contains(id) {
                // The device has ended; the next one answers.
                requests[id]?.device = nil
                return
            }
            logger.error("a page's request failed: \(error)")
            answer = nil
        }
        guard requests[id]?.round == round else { return }
        requests[id] = nil
        conditional.removeAll { $0 == id }
        documents.answer(id.document, number: id.number, answer)
    }

    private func tell(_ kind: String?, _ answer: PageAnswer, of device: PageDevice) async {
        guard case .value(let json) = answer, let witness = witnesses[device.name] else { return }
        let credential = (try? JSONValue(parsing: json))?["id"]?.text ?? ""
        switch kind {
        case "create": await witness(.created(credential: credential))
        case "get": await witness(.asserted(credential: credential))
        case "signal": await witness(.signalled)
        default: break
        }
    }

    /// The user picks a suggestion of the newest conditional request.
    ///
    /// - Returns: the page's error that the failure would be in a modal request; nil when the page got its credential. After
    ///   a failure the request continues to wait.
    func pick(_ answers: [String: JSONValue]) async throws -> JSONValue? {
        guard let id = conditional.last, let device = requests[id]?.device else { throw APIError.conditionalNotPending }
        var body = answers
        body["page"] = Self.requestName(of: id)
        // The request may be on its way.
        body["waitSeconds"] = 30
        return try await control.server.pickForPage(.object(body), on: device)
    }

    /// Ends requests that no document waits for; a cancelled ceremony closes the prompt on the device.
    private func forget(_ concerns: (RequestID) -> Bool) {
        for id in requests.keys.filter(concerns) { requests.removeValue(forKey: id)?.task?.cancel() }
        conditional.removeAll(where: concerns)
    }
}
