internal import ControlAPI
internal import Documents

/// The documents of a browser with WebDriver BiDi, such as Firefox.
///
/// The browser's other clients share the session: they get the events that this one does not keep.
actor BiDiDocuments: PageDocuments {
    private nonisolated let browser: BrowserConnection
    private let clients: BiDiClients
    private let scripts = PageScripts()
    /// The origins that the browser states for the relays' realms.
    private var origins: [DocumentID: String] = [:]

    init(_ browser: BrowserConnection, _ clients: BiDiClients) {
        self.browser = browser
        self.clients = clients
    }

    func prepare() async throws {
        try await clients.subscribe()
        let (page, relay) = ("() => {\(scripts.page)}", "(\(Self.parameter)) => {\(relaySource)}")
        let channel: JSONValue = ["type": "channel", "value": ["channel": .text(scripts.binding)]]
        let world = JSONValue.text(scripts.world)
        try await browser.command("script.addPreloadScript", ["functionDeclaration": .text(page)])
        try await browser.command(
            "script.addPreloadScript",
            ["functionDeclaration": .text(relay), "arguments": [channel], "sandbox": world])
        for context in try await openContexts() {
            let call = { (function: String, arguments: JSONValue, target: JSONValue) in
                _ = try await self.browser.command(
                    "script.callFunction",
                    [
                        "functionDeclaration": .text(function), "arguments": arguments, "target": target,
                        "awaitPromise": false,
                    ])
            }
            try await call(page, [], ["context": .text(context)])
            try await call(relay, [channel], ["context": .text(context), "sandbox": world])
        }
    }

    /// The name of the relay's parameter, which sends a message.
    private static let parameter = "send"

    private var relaySource: String { "globalThis.\(scripts.binding) = \(Self.parameter);\(scripts.relay)" }

    /// The pages and frames that are open already.
    private func openContexts() async throws -> [String] {
        func all(_ tree: JSONValue?) -> [String] {
            (tree?.array ?? []).flatMap { [$0["context"]?.text].compactMap { $0 } + all($0["children"]) }
        }
        return all(try await browser.command("browsingContext.getTree")["contexts"])
    }

    func run(_ pass: @Sendable (DocumentEvent) async -> Void) async {
        for await event in browser.events {
            let isOwn = event.method == BiDiClients.message && event.params["channel"]?.text == scripts.binding
            if !isOwn { clients.pass(event) }
            if let event = await receive(event, isOwn: isOwn) { await pass(event) }
        }
        clients.close()
    }

    nonisolated func close() { browser.close() }

    private func receive(_ event: BrowserConnection.Event, isOwn: Bool) async -> DocumentEvent? {
        if isOwn {
            guard let text = event.params["data"]?["value"]?.text, let source = event.params["source"],
                let realm = source["realm"]?.text, let context = source["context"]?.text,
                let (id, origin) = await document(realm, in: context)
            else { return nil }
            return .message(text, id, origin: origin)
        }
        guard event.method == BiDiClients.realmDestroyed, let realm = event.params["realm"]?.text,
            let id = origins.keys.first(where: { $0.context == realm })
        else { return nil }
        origins[id] = nil
        return .left(session: id.session, context: realm)
    }

    /// A realm and the origin that the browser states for it; nil for a realm that is gone.
    private func document(_ realm: String, in context: String) async -> (DocumentID, origin: String)? {
        let id = DocumentID(page: context, session: context, context: realm)
        if let origin = origins[id] { return (id, origin) }
        guard let answer = try? await browser.command("script.getRealms", ["context": .text(context)]),
            let stated = answer["realms"]?.array?.first(where: { $0["realm"]?.text == realm }),
            stated["sandbox"]?.text == scripts.world, let origin = stated["origin"]?.text
        else { return nil }
        origins[id] = origin
        return (id, origin)
    }

    nonisolated func evaluate(_ expression: String, in id: DocumentID) {
        Task {
            _ = try? await browser.command(
                "script.evaluate",
                [
                    "expression": .text(expression), "target": ["realm": .text(id.context)], "awaitPromise": false,
                ])
        }
    }
}
