package import Documents
internal import Synchronization

/// One client of a ``ContextServer``: its handshake, and its requests without an answer.
///
/// A carrier gives it each message; the answers come from tasks, in the order in which they are ready.
package final class ContextSession: Sendable {
    package typealias Sender = @Sendable (OutgoingMessage) -> Void

    private struct State {
        /// The revision of the handshake; nil before it, and for a client that states its revision in each request.
        var revision: ContextRevision?
        var running: [JSONValue: Task<Void, Never>] = [:]
        var isEnded = false
    }

    /// The largest number of requests without an answer.
    package static let mostRunning = 64

    private let server: ContextServer
    private let state = Mutex(State())

    package init(_ server: ContextServer) { self.server = server }

    /// Takes a message, and answers it with the sender.
    ///
    /// - Returns: the task that answers a request; nil for a message that is answered already, or needs no answer.
    @discardableResult
    package func receive(_ bytes: [UInt8], _ send: @escaping Sender) -> Task<Void, Never>? {
        let message: ContextMessage
        do {
            message = try ContextMessage(parsing: bytes)
        } catch {
            send(.error(error.error, id: error.id))
            return nil
        }
        return receive(message, send)
    }

    @discardableResult
    package func receive(_ message: ContextMessage, _ send: @escaping Sender) -> Task<Void, Never>? {
        switch message {
        case .answer: return nil
        case .notification(let method, let params):
            if method == "notifications/cancelled", let id = params["requestId"] { cancel(id) }
            return nil
        case .request(let id, let method, let params):
            do throws(ContextError) {
                if method == Self.handshake {
                    send(.result(try agree(params), id: id))
                    return nil
                }
                let request = ContextServer.Request(
                    method: method, params: params, revision: try revision(of: method, params),
                    call: Self.call(params, send))
                return try start(request, id, send)
            } catch {
                send(.error(error, id: id))
                return nil
            }
        }
    }

    /// Ends a request, which then gets no answer; one that is unknown or answered stays as it is.
    package func cancel(_ id: JSONValue) { state.withLock { $0.running[id] }?.cancel() }

    /// Ends all requests, and waits until they have ended; later ones are refused.
    package func end() async {
        let running = state.withLock { state in
            state.isEnded = true
            return Array(state.running.values)
        }
        for task in running { task.cancel() }
        for task in running { await task.value }
    }

    /// Waits until each request has its answer, but no longer than a time.
    package func waitUntilIdle(for patience: Duration) async {
        let running = state.withLock { Array($0.running.values) }
        guard !running.isEmpty else { return }
        await withTaskGroup { group in
            group.addTask { for task in running { await task.value } }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            for task in running { task.cancel() }
            group.cancelAll()
        }
    }

    // MARK: Handshake

    package static let handshake = "initialize"
    private static let metaOfRevision = "io.modelcontextprotocol/protocolVersion"
    private static let metaOfCapabilities = "io.modelcontextprotocol/clientCapabilities"

    private func agree(_ params: [String: JSONValue]) throws(ContextError) -> [String: JSONValue] {
        guard let wanted = params["protocolVersion"] else { throw .invalid("protocolVersion", "is missing") }
        guard let text = wanted.text else { throw .invalid("protocolVersion", "must be text, not \(wanted.noun)") }
        let revision = ContextRevision.agreed(with: text)
        state.withLock { $0.revision = revision }
        return [
            "protocolVersion": .text(revision.rawValue), "capabilities": server.capabilities,
            "serverInfo": server.identity, "instructions": .text(server.instructions),
        ]
    }

    /// The revision that a request states; nil for one that states none.
    package static func statedRevision(_ params: [String: JSONValue]) -> JSONValue? {
        params["_meta"]?[metaOfRevision]
    }

    /// The revision by which a request is answered.
    private func revision(
        of method: String, _ params: [String: JSONValue]
    ) throws(ContextError) -> ContextRevision {
        if let stated = Self.statedRevision(params) {
            guard let text = stated.text else {
                throw .invalid("_meta.\(Self.metaOfRevision)", "must be text, not \(stated.noun)")
            }
            guard text == ContextRevision.current.rawValue else { throw .unsupported(text) }
            guard params["_meta"]?[Self.metaOfCapabilities]?.object != nil else {
                throw .invalid("_meta.\(Self.metaOfCapabilities)", "is missing; send an object, which may be empty")
            }
            return .current
        }
        if let revision = state.withLock({ $0.revision }) { return revision }
        // A client may ask before the handshake whether the server is there.
        guard method != "ping" else { return ContextRevision.withHandshake[0] }
        throw .invalid(
            "_meta.\(Self.metaOfRevision)",
            "is missing, and no handshake came before; send it with each request, or the request initialize first")
    }

    // MARK: Requests

    private func start(
        _ request: ContextServer.Request, _ id: JSONValue, _ send: @escaping Sender
    ) throws(ContextError) -> Task<Void, Never> {
        let started = state.withLock { state -> Result<Task<Void, Never>, ContextError> in
            guard !state.isEnded else { return .failure(ContextError(.failed, "The server is stopping.")) }
            guard state.running[id] == nil else {
                return .failure(ContextError(.invalidRequest, "A request with this id has no answer yet."))
            }
            guard state.running.count < Self.mostRunning else {
                return .failure(
                    ContextError(.busy, "\(Self.mostRunning) requests have no answer yet; wait for one of them."))
            }
            let task = Task { await self.answer(request, id, send) }
            state.running[id] = task
            return .success(task)
        }
        return try started.get()
    }

    private func answer(_ request: ContextServer.Request, _ id: JSONValue, _ send: Sender) async {
        let message: OutgoingMessage
        do {
            message = .result(try await server.result(of: request), id: id)
        } catch {
            message = .error(error, id: id)
        }
        state.withLock { $0.running[id] = nil }
        if !Task.isCancelled { send(message) }
    }

    /// A call that tells its progress to a client that asked for it.
    private static func call(_ params: [String: JSONValue], _ send: @escaping Sender) -> ToolCall {
        switch params["_meta"]?["progressToken"] {
        case .text?, .integer?: break
        default: return ToolCall()
        }
        let token = params["_meta"]?["progressToken"] ?? .null
        return ToolCall { done, total, message in
            guard !Task.isCancelled else { return }
            send(
                .notification(
                    "notifications/progress",
                    [
                        "progressToken": token, "progress": .integer(done), "total": .integer(total),
                        "message": .text(message),
                    ]))
        }
    }
}
