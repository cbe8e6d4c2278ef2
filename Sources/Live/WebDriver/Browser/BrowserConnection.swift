internal import Documents
internal import LoopbackHTTP
internal import Synchronization

/// A connection to a browser's DevTools, or to its endpoint of WebDriver BiDi: commands with their results, and events.
final class BrowserConnection: Sendable {
    struct Event: Sendable {
        let method: String
        let params: JSONValue
        /// The session of its target; empty for the browser, and in WebDriver BiDi.
        let session: String
    }

    private typealias Waiting = @Sendable (JSONValue?) -> Void

    private struct State {
        var waiting: [Int: Waiting] = [:]
        var lastID = 0
        var isClosed = false
    }

    /// The events, until the connection ends.
    let events: AsyncStream<Event>
    private let socket: MessageSocket
    private let state = Mutex(State())

    /// Connects to the DevTools at an address such as `localhost:9222`.
    static func devTools(at address: String) async throws -> BrowserConnection {
        guard let browser = DriverAddress("http://" + address) else {
            throw BrowserConnectionError(description: "its DevTools are at \(address), which is not on this computer")
        }
        let client = LoopbackClient(port: browser.port)
        let answer = try await client.send("GET", "/json/version")
        await client.close()
        guard let url = try JSONValue(parsing: answer.body)["webSocketDebuggerUrl"]?.text else {
            throw BrowserConnectionError(description: "no DevTools answer at \(address)")
        }
        return try await connect(to: MessageSocket.Address(url))
    }

    static func connect(to address: MessageSocket.Address) async throws -> BrowserConnection {
        BrowserConnection(try await MessageSocket.connect(to: address))
    }

    /// Reads the socket until it ends.
    private init(_ socket: MessageSocket) {
        self.socket = socket
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        self.events = events
        Task {
            for await text in socket.messages {
                // A browser sends nothing but JSON.
                guard let message = try? JSONValue(parsing: text) else { break }
                receive(message, continuation)
            }
            socket.close()
            end()
            continuation.finish()
        }
    }

    /// Sends a command, and waits for its result; throws when the browser refuses it or the connection ends.
    ///
    /// - Parameter session: the session of a target; empty for the browser, and in WebDriver BiDi.
    @discardableResult
    func command(_ method: String, _ params: JSONValue = [:], in session: String = "") async throws -> JSONValue {
        let answer = await withCheckedContinuation { continuation in
            send(Self.message(method, params, session)) { continuation.resume(returning: $0) }
        }
        guard let answer else { throw BrowserConnectionError.closed }
        if let result = answer["result"] { return result }
        // DevTools have an object for an error, WebDriver BiDi a code and a message.
        let words = answer["error"]?["message"]?.text ?? answer["message"]?.text
        throw BrowserConnectionError(description: words ?? "the browser refuses a command")
    }

    /// Sends commands at once, in their order, and waits for their ends: a result may have to wait for a later command.
    func commands(_ commands: [(method: String, params: JSONValue)], in session: String) async {
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        for (method, params) in commands {
            send(Self.message(method, params, session)) { _ in continuation.yield() }
        }
        for await _ in ends.prefix(commands.count) {}
    }

    private static func message(_ method: String, _ params: JSONValue, _ session: String) -> [String: JSONValue] {
        var message: [String: JSONValue] = ["method": .text(method), "params": params]
        if !session.isEmpty { message["sessionId"] = .text(session) }
        return message
    }

    /// Sends a command with an ID of this connection; `receive` gets the answer, or nil when the connection ends.
    func send(_ command: [String: JSONValue], receive: @escaping @Sendable (JSONValue?) -> Void) {
        let id = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.lastID += 1
            state.waiting[state.lastID] = receive
            return state.lastID
        }
        guard let id else { return receive(nil) }
        do {
            socket.send(try JSONValue.object(command.merging(["id": .integer(id)]) { $1 }).bytes())
        } catch {
            take(id)?(nil)
        }
    }

    func close() { socket.close() }

    private func receive(_ message: JSONValue, _ events: AsyncStream<Event>.Continuation) {
        if let id = message["id"]?.integer {
            take(id)?(message)
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
        for receive in waiting { receive(nil) }
    }
}
