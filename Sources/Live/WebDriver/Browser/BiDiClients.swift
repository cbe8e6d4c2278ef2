internal import Documents
internal import LoopbackHTTP
internal import Synchronization

/// The clients of a WebDriver BiDi session, who speak to the browser through this program.
///
/// Their commands pass with other IDs, and events pass to all of them, except those that only this program has asked for.
final class BiDiClients: SocketEndpoint {
    static let message = "script.message"
    static let realmDestroyed = "script.realmDestroyed"
    /// The events that this program needs.
    private static let needed = [message, realmDestroyed]

    private struct State {
        var sockets: [Int: MessageSocket] = [:]
        var lastNumber = 0
        /// The events and modules that clients have asked for.
        var subscribed: Set<String> = []
    }

    private let browser: BrowserConnection
    private let path: String
    private let state = Mutex(State())

    init(_ browser: BrowserConnection, session: String) {
        self.browser = browser
        path = Self.path(of: session)
    }

    static func path(of session: String) -> String { "/session/\(session)" }

    func subscribe() async throws {
        try await browser.command("session.subscribe", ["events": .array(Self.needed.map(JSONValue.text))])
    }

    func answer(_ method: String, _ target: String, host: String) -> SocketServer.Answer {
        SocketServer.Answer(status: 404)
    }

    func admits(_ origin: String?, to path: String) -> Bool { origin == nil && path == self.path }

    func serve(_ socket: MessageSocket, at path: String) async {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.sockets[state.lastNumber] = socket
            return state.lastNumber
        }
        for await text in socket.messages { forward(text, socket) }
        state.withLock { $0.sockets[number] = nil }
    }

    private func forward(_ text: [UInt8], _ socket: MessageSocket) {
        guard let members = (try? JSONValue(parsing: text))?.object, let method = members["method"]?.text else {
            return Self.send(
                [
                    "type": "error", "id": .null, "error": "invalid argument",
                    "message": "The message is not a command in JSON.",
                ], to: socket)
        }
        let id = members["id"] ?? .null
        browser.send(members) { [self] answer in
            guard let answer, let result = answer.object else { return socket.close() }
            Self.send(.object(result.merging(["id": id]) { $1 }), to: socket)
            guard result["type"] == "success" else { return }
            switch method {
            case "session.subscribe":
                let events = members["params"]?["events"]?.array ?? []
                state.withLock { $0.subscribed.formUnion(events.compactMap(\.text)) }
            // This program still needs events that a client no longer needs.
            case "session.unsubscribe": Task { try? await subscribe() }
            default: break
            }
        }
    }

    func pass(_ event: BrowserConnection.Event) {
        let sockets = state.withLock { state in
            let isWanted = state.subscribed.contains(event.method) || state.subscribed.contains("script")
            return Self.needed.contains(event.method) && !isWanted ? [] : Array(state.sockets.values)
        }
        for socket in sockets {
            Self.send(["type": "event", "method": .text(event.method), "params": event.params], to: socket)
        }
    }

    func close() {
        for socket in state.withLock({ $0.sockets.values }) { socket.close() }
    }

    private static func send(_ message: JSONValue, to socket: MessageSocket) {
        // A value that was read from JSON can be written.
        if let text = try? message.bytes() { socket.send(text) }
    }
}
