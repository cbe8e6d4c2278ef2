internal import ControlAPI
internal import Documents
internal import HTTPTypes
internal import Hummingbird
package import LoopbackHTTP
package import ModelContext
internal import Synchronization

/// The Model Context Protocol over HTTP (Streamable HTTP): each message is a POST.
///
/// The guard of the server with the routes checks the token, the host and the origin.
package final class HTTPCarrier: Sendable {
    private struct State {
        var server: ContextServer?
        /// The clients with a handshake, the oldest first.
        var sessions: [(id: String, session: ContextSession)] = []
        /// The sessions of single requests.
        var requests: [Int: ContextSession] = [:]
        var lastRequest = 0
        var isEnded = false
    }

    package static let path = "/mcp"
    /// The largest number of clients with a handshake; the oldest one ends first.
    private static let mostSessions = 200

    private let state = Mutex(State())

    package init() {}

    /// Answers with a server from now on.
    package func serve(_ server: ContextServer) { state.withLock { $0.server = server } }

    package var routes: RouteTable {
        var routes = RouteTable()
        routes.add(.post, Self.path) { request, context in try await self.answer(request, context) }
        routes.add(.delete, Self.path) { request, _ in try await self.endSession(request) }
        return routes
    }

    /// Ends all requests and sessions.
    package func stop() async {
        let sessions = state.withLock { state in
            state.isEnded = true
            defer { state.sessions = [] }
            return state.sessions.map(\.session) + state.requests.values
        }
        for session in sessions { await session.end() }
    }

    private func answer(_ request: Request, _ context: ClientContext) async throws -> Response {
        let bytes = try await JSONBody.content(
            of: request, declaredAs: ["application/json"], limit: ContextMessage.largest)
        let message: ContextMessage
        do {
            message = try ContextMessage(parsing: bytes)
        } catch {
            return try Self.response(.error(error.error, id: error.id))
        }
        switch message {
        case .answer: return Response(status: .accepted)
        case .notification:
            try session(of: request)?.receive(message) { _ in }
            return Response(status: .accepted)
        case .request(let id, let method, let params):
            let caller: Caller
            do {
                caller = try self.caller(request, method, params)
            } catch let error as ContextError {
                return try Self.response(.error(error, id: id))
            }
            let answers = RequestAnswers(message, id, caller.session) { [self] in
                if let number = caller.number { state.withLock { $0.requests[number] = nil } }
            }
            var response =
                Self.wantsStream(request, params)
                ? answers.stream(context)
                : try Self.response(
                    try await answers.only(context), statesErrors: caller.number != nil)
            if let id = caller.newID { response.headers[Self.sessionField] = id }
            return response
        }
    }

    private static func response(_ message: OutgoingMessage, statesErrors: Bool = true) throws -> Response {
        // In a session, the transport has done its part when it carries an error.
        let status = statesErrors ? message.status ?? 200 : 200
        return try Reply.json(message.json, status: HTTPResponse.Status(code: status))
    }

    /// Whether the caller reads a stream, and asks for progress.
    private static func wantsStream(_ request: Request, _ params: [String: JSONValue]) -> Bool {
        let accepts = request.headers[.accept]?.lowercased().contains("text/event-stream") ?? false
        return accepts && params["_meta"]?["progressToken"] != nil
    }

    // MARK: Sessions

    private struct Caller {
        let session: ContextSession
        /// The number of a request that has a session of its own.
        var number: Int?
        /// The name of a session that begins.
        var newID: String?
    }

    // The name is a token of HTTP.
    private static let sessionField = field("Mcp-Session-Id")
    private static let revisionField = field("MCP-Protocol-Version")

    private static func field(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .contentType }

    private func caller(_ request: Request, _ method: String, _ params: [String: JSONValue]) throws -> Caller {
        guard let server = state.withLock({ $0.isEnded ? nil : $0.server }) else {
            throw ContextError(.failed, "The server is starting or stopping.")
        }
        if ContextSession.statedRevision(params) != nil {
            try RequestFields(request.headers).check(method, params)
            let session = ContextSession(server)
            let number = state.withLock { state in
                state.lastRequest += 1
                state.requests[state.lastRequest] = session
                return state.lastRequest
            }
            return Caller(session: session, number: number)
        }
        if method == ContextSession.handshake {
            let (id, session) = (AccessToken().text, ContextSession(server))
            let former = state.withLock { state -> ContextSession? in
                defer { state.sessions.append((id, session)) }
                return state.sessions.count < Self.mostSessions ? nil : state.sessions.removeFirst().session
            }
            if let former { Task { await former.end() } }
            return Caller(session: session, newID: id)
        }
        if let text = request.headers[Self.revisionField],
            !ContextRevision.withHandshake.contains(ContextRevision(rawValue: text))
        {
            throw ContextError(
                .invalidRequest,
                "The field MCP-Protocol-Version is \(text), and the request states no revision in its _meta.")
        }
        guard let session = try session(of: request) else {
            throw ContextError(
                .invalidRequest,
                "The field Mcp-Session-Id is missing; send that of the answer to initialize, or state the revision in _meta."
            )
        }
        return Caller(session: session)
    }

    /// The session that a request names; nil for a request that names none.
    private func session(of request: Request) throws(APIError) -> ContextSession? {
        guard let id = request.headers[Self.sessionField] else { return nil }
        guard let found = state.withLock({ $0.sessions.first { $0.id == id }?.session }) else {
            throw APIError(404, "session.notFound", "No session has this Mcp-Session-Id; send the request initialize.")
        }
        return found
    }

    private func endSession(_ request: Request) async throws -> Response {
        guard let session = try session(of: request) else {
            throw APIError(400, "session.missing", "The field Mcp-Session-Id is missing; it names the session to end.")
        }
        state.withLock { $0.sessions.removeAll { $0.session === session } }
        await session.end()
        return Reply.noContent()
    }
}
