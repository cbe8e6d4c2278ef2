internal import Documents
internal import LoopbackHTTP

/// DevTools in front of a browser's own: everything passes unchanged, except the domain `WebAuthn`.
struct DevToolsEndpoint: SocketEndpoint {
    /// The port of the browser's DevTools.
    private let port: Int
    private let browser: LoopbackClient
    private let pages: SessionPages

    init(port: Int, _ pages: SessionPages) {
        self.port = port
        browser = LoopbackClient(port: port)
        self.pages = pages
    }

    /// The browser writes addresses with the host that the client asks for.
    func answer(_ method: String, _ target: String, host: String) async -> SocketServer.Answer {
        do {
            let answer = try await browser.send(method, target)
            let own = String(decoding: answer.body, as: UTF8.self).replacing("localhost:\(port)", with: host)
            return SocketServer.Answer(
                status: answer.status, type: answer.values(of: "content-type").first ?? "text/plain",
                body: Array(own.utf8))
        } catch {
            return SocketServer.Answer(status: 502, type: "text/plain", body: Array("The browser: \(error)\n".utf8))
        }
    }

    func admits(_ origin: String?, to path: String) -> Bool { origin == nil && path.hasPrefix("/devtools/") }

    func serve(_ client: MessageSocket, at path: String) async {
        guard let browser = try? await MessageSocket.connect(to: MessageSocket.Address(port: port, path: path)) else {
            return client.close()
        }
        let connection = DevToolsClient(client, browser, pages, path: path)
        await withTaskGroup { group in
            group.addTask { await connection.passCommands() }
            group.addTask { await connection.passEvents() }
        }
        await connection.close()
    }
}

/// One client of DevTools, with its sessions.
private actor DevToolsClient {
    private let client: MessageSocket
    private let browser: MessageSocket
    private let pages: SessionPages
    /// The pages of the client's sessions; the one without a name is that of a page's own address.
    private var pageOfSession: [String: String] = [:]
    private var domains: [String: WebAuthnDomain] = [:]

    private static let pagePath = "/devtools/page/"
    private static let attached = Array("\"Target.attachedToTarget\"".utf8)
    private static let detached = Array("\"Target.detachedFromTarget\"".utf8)
    private static let startLength = 80
    private static let webAuthn = Array("\"\(WebAuthnDomain.prefix)".utf8)

    init(_ client: MessageSocket, _ browser: MessageSocket, _ pages: SessionPages, path: String) {
        self.client = client
        self.browser = browser
        self.pages = pages
        if path.hasPrefix(Self.pagePath) { pageOfSession[""] = String(path.dropFirst(Self.pagePath.count)) }
    }

    func passCommands() async {
        for await text in client.messages {
            if text.contains(Self.webAuthn), await perform(text) { continue }
            browser.send(text)
        }
        browser.close()
    }

    func passEvents() async {
        for await text in browser.messages {
            // An event begins with its method; an answer may be long.
            let start = Array(text.prefix(Self.startLength))
            if start.contains(Self.attached) || start.contains(Self.detached) { await note(text) }
            client.send(text)
        }
        client.close()
    }

    func close() async {
        for domain in domains.values { await domain.close() }
    }

    /// Performs a command of the domain `WebAuthn`.
    ///
    /// - Returns: false for another command, and for one that is sent to no page; both are the browser's.
    private func perform(_ text: [UInt8]) async -> Bool {
        guard let message = try? JSONValue(parsing: text), let id = message["id"],
            let method = message["method"]?.text, method.hasPrefix(WebAuthnDomain.prefix)
        else { return false }
        let session = message["sessionId"]?.text ?? ""
        guard let page = pageOfSession[session] else { return false }
        let domain = domains[session] ?? domain(of: page, session)
        domains[session] = domain
        var answer: [String: JSONValue] = ["id": id]
        do {
            answer["result"] = try await domain.perform(method, message["params"] ?? [:])
        } catch {
            let failure = error as? DevToolsError ?? .failed("\(error)")
            answer["error"] = ["code": .integer(failure.code), "message": .text(failure.message)]
        }
        Self.send(answer, in: session, to: client)
        return true
    }

    private func domain(of page: String, _ session: String) -> WebAuthnDomain {
        WebAuthnDomain(pages, page: page) { [client] event, params in
            Self.send(["method": .text(event), "params": params], in: session, to: client)
        }
    }

    private static func send(_ message: [String: JSONValue], in session: String, to client: MessageSocket) {
        var members = message
        if !session.isEmpty { members["sessionId"] = .text(session) }
        // A value that was read from JSON can be written.
        if let text = try? JSONValue.object(members).bytes() { client.send(text) }
    }

    /// Notes the sessions that open and end.
    private func note(_ text: [UInt8]) async {
        guard let event = try? JSONValue(parsing: text), let params = event["params"],
            let session = params["sessionId"]?.text
        else { return }
        switch event["method"]?.text {
        case "Target.attachedToTarget":
            // A frame with a process of its own belongs to the page whose session announces it.
            let parent = event["sessionId"]?.text ?? ""
            switch params["targetInfo"]?["type"]?.text {
            case "page": pageOfSession[session] = params["targetInfo"]?["targetId"]?.text
            case "iframe": pageOfSession[session] = pageOfSession[parent]
            default: break
            }
        case "Target.detachedFromTarget":
            pageOfSession[session] = nil
            await domains.removeValue(forKey: session)?.close()
        default: break
        }
    }
}
