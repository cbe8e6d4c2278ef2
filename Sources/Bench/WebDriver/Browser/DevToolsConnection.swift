internal import Documents
internal import LoopbackHTTP
internal import Synchronization

/// A connection to Chromium's DevTools: commands with their results, and events, each of one target's session.
///
/// WebDriver BiDi would serve more browsers, but chromedriver performs a session's commands one after the other: an answer to
/// the page would wait for the script whose end waits for the answer.
final class DevToolsConnection: Sendable {
    /// An event of the browser.
    struct Event: Sendable {
        let method: String
        let params: JSONValue
        /// The session of its target; empty for the browser.
        let session: String
    }

    private typealias Waiting = CheckedContinuation<JSONValue, any Error>

    private struct State {
        var waiting: [Int: Waiting] = [:]
        var lastID = 0
        var isClosed = false
    }

    /// The events, until the connection ends.
    let events: AsyncStream<Event>
    private let socket: JSONSocket
    private let state = Mutex(State())

    /// Connects to the browser at an address such as `localhost:9222`.
    static func connect(to address: String) async throws -> DevToolsConnection {
        guard let browser = DriverAddress("http://" + address) else {
            throw BrowserError(description: "its DevTools are at \(address), which is not on this computer")
        }
        let answer = try await LoopbackClient(port: browser.port).send("GET", "/json/version")
        guard let url = try JSONValue(parsing: answer.body)["webSocketDebuggerUrl"]?.text else {
            throw BrowserError(description: "no DevTools answer at \(address)")
        }
        return DevToolsConnection(try await JSONSocket.connect(to: JSONSocket.Address(url)))
    }

    /// Reads the socket until it ends.
    private init(_ socket: JSONSocket) {
        self.socket = socket
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        Task {
            for await message in socket.messages { receive(message, continuation) }
            end()
            continuation.finish()
        }
    }

    /// Sends a command, and waits for its result.
    ///
    /// - Parameter session: the session of a target; empty for the browser.
    /// - Throws: ``BrowserError`` when the browser refuses it or the connection ends.
    @discardableResult
    func command(_ method: String, _ params: JSONValue = [:], in session: String = "") async throws -> JSONValue {
        try await withCheckedThrowingContinuation { (waiting: Waiting) in
            let id = state.withLock { state -> Int? in
                guard !state.isClosed else { return nil }
                state.lastID += 1
                state.waiting[state.lastID] = waiting
                return state.lastID
            }
            guard let id else { return waiting.resume(throwing: BrowserError.closed) }
            var message: [String: JSONValue] = ["id": .integer(id), "method": .text(method), "params": params]
            if !session.isEmpty { message["sessionId"] = .text(session) }
            do {
                try socket.send(.object(message))
            } catch {
                take(id)?.resume(throwing: error)
            }
        }
    }

    func close() { socket.close() }

    private func receive(_ message: JSONValue, _ events: AsyncStream<Event>.Continuation) {
        if let id = message["id"]?.integer {
            if let result = message["result"] {
                take(id)?.resume(returning: result)
            } else {
                let words = message["error"]?["message"]?.text ?? "the browser refuses a command"
                take(id)?.resume(throwing: BrowserError(description: words))
            }
        } else if let method = message["method"]?.text {
            let session = message["sessionId"]?.text ?? ""
            events.yield(Event(method: method, params: message["params"] ?? .null, session: session))
        }
    }

    private func take(_ id: Int) -> Waiting? { state.withLock { $0.waiting.removeValue(forKey: id) } }

    private func end() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for command in waiting { command.resume(throwing: BrowserError.closed) }
    }
}
