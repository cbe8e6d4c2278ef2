internal import ControlAPI
internal import Documents

/// The documents of a browser with DevTools.
///
/// WebDriver BiDi does not lead to them: chromedriver performs a session's commands one after the other, so an answer to the page
/// would wait for the script whose end waits for the answer.
actor DevToolsDocuments: PageDocuments {
    private let browser: BrowserConnection
    private let scripts = PageScripts()
    /// The origins that the browser states for the documents.
    private var origins: [DocumentID: String] = [:]
    /// The pages of the sessions; a frame with a process of its own has another session than its page.
    private var pageOfSession: [String: String] = [:]
    /// Pages with the scripts, by their targets.
    private let prepared = AsyncStream.makeStream(of: String.self)

    init(_ browser: BrowserConnection) { self.browser = browser }

    /// Pages, and frames with a process of their own.
    private static let attaching: JSONValue = [
        "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
        "filter": [["type": "page"], ["type": "iframe"], ["exclude": true]],
    ]

    func prepare() async throws {
        try await browser.command("Target.setAutoAttach", Self.attaching)
        let targets = try await browser.command("Target.getTargets")["targetInfos"]?.array ?? []
        var missing = Set(targets.filter { $0["type"] == "page" }.compactMap { $0["targetId"]?.text })
        if missing.isEmpty { return }
        for await target in prepared.stream {
            missing.remove(target)
            if missing.isEmpty { return }
        }
        throw BrowserConnectionError.closed
    }

    func run(_ pass: @Sendable (DocumentEvent) async -> Void) async {
        for await event in browser.events {
            if let event = receive(event) { await pass(event) }
        }
        prepared.continuation.finish()
    }

    nonisolated func close() { browser.close() }

    private func receive(_ event: BrowserConnection.Event) -> DocumentEvent? {
        let (params, session) = (event.params, event.session)
        switch event.method {
        case "Target.attachedToTarget":
            guard let opened = params["sessionId"]?.text, let target = params["targetInfo"]?["targetId"]?.text
            else { return nil }
            pageOfSession[opened] = pageOfSession[session] ?? target
            Task { await prepare(opened, target) }
        case "Target.detachedFromTarget":
            guard let closed = params["sessionId"]?.text else { return nil }
            pageOfSession[closed] = nil
            return leave(closed, nil)
        case "Runtime.executionContextCreated":
            guard let context = params["context"], context["name"]?.text == scripts.world,
                let number = context["id"]?.integer, let origin = context["origin"]?.text
            else { return nil }
            origins[id(session, number)] = origin
        case "Runtime.executionContextDestroyed":
            guard let number = params["executionContextId"]?.integer else { return nil }
            return leave(session, number)
        case "Runtime.executionContextsCleared": return leave(session, nil)
        case "Runtime.bindingCalled":
            guard params["name"]?.text == scripts.binding, let text = params["payload"]?.text,
                let number = params["executionContextId"]?.integer
            else { return nil }
            let id = id(session, number)
            return origins[id].map { .message(text, id, origin: $0) }
        default: break
        }
        return nil
    }

    private func id(_ session: String, _ context: Int) -> DocumentID {
        DocumentID(page: pageOfSession[session] ?? "", session: session, context: String(context))
    }

    private func leave(_ session: String, _ number: Int?) -> DocumentEvent? {
        let context = number.map(String.init)
        let left = origins.keys.filter { $0.session == session && (context == nil || $0.context == context) }
        for id in left { origins[id] = nil }
        return left.isEmpty ? nil : .left(session: session, context: context)
    }

    /// Adds the scripts to a page or frame, also to the empty first document of a window that a page opens.
    private func prepare(_ session: String, _ target: String) async {
        let add = "Page.addScriptToEvaluateOnNewDocument"
        let commands: [(method: String, params: JSONValue)] = [
            ("Page.enable", [:]), ("Runtime.enable", [:]),
            ("Runtime.addBinding", ["name": .text(scripts.binding), "executionContextName": .text(scripts.world)]),
            (add, ["source": .text(scripts.page), "runImmediately": true]),
            (add, ["source": .text(scripts.relay), "worldName": .text(scripts.world), "runImmediately": true]),
            ("Target.setAutoAttach", Self.attaching), ("Runtime.runIfWaitingForDebugger", [:]),
        ]
        // The last one lets the script go on that has opened the window. A target that is gone needs none.
        await browser.commands(commands, in: session)
        prepared.continuation.yield(target)
    }

    nonisolated func evaluate(_ expression: String, in id: DocumentID) {
        Task {
            _ = try? await browser.command(
                "Runtime.evaluate",
                ["expression": .text(expression), "contextId": Int(id.context).map(JSONValue.integer) ?? .null],
                in: id.session)
        }
    }
}
