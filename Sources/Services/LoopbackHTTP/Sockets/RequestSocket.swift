package import HTTPTypes
package import Hummingbird
package import Logging
internal import NIOCore
internal import Synchronization

/// Serves requests that are messages of a WebSocket, each as one of the server's own requests.
///
/// A message is a ``SocketMessage``. Its answer is `{"id": ID, "status": STATUS}`, a line feed, and the body if there is one.
package actor RequestSocket {
    /// The parts that the caller's requests have in common.
    package struct Caller: Sendable {
        let authority: String
        let fields: HTTPFields

        package init(authority: String, fields: HTTPFields) { (self.authority, self.fields) = (authority, fields) }
    }

    package typealias Responder = @Sendable (Request, ClientContext) async throws -> Response

    /// The largest number of requests without an answer.
    package static let mostRunning = 64

    private let socket: MessageSocket
    private let caller: Caller
    private let logger: Logger
    private let respond: Responder
    private var running: [Int: RequestCancellation] = [:]
    private let unread = UnreadAnswers()

    package init(_ socket: MessageSocket, for caller: Caller, logger: Logger, _ respond: @escaping Responder) {
        self.socket = socket
        self.caller = caller
        self.logger = logger
        self.respond = respond
    }

    /// Answers until the WebSocket ends, which ends its requests.
    package func serve() async {
        for await text in socket.messages {
            do {
                try receive(SocketMessage(text))
            } catch {
                send(error)
            }
        }
        for request in running.values { request.cancel() }
    }

    private func receive(_ message: SocketMessage) throws(SocketMessage.Refusal) {
        switch message {
        case .cancel(let id): running[id]?.cancel()
        case .request(let id, let method, let path, let body):
            // The id is that of another request.
            guard running[id] == nil else { throw .init(.messageInvalid("a request with its id has no answer yet")) }
            guard running.count < Self.mostRunning else { throw .init(.socketBusy, id: id) }
            let cancellation = RequestCancellation()
            running[id] = cancellation
            let request = request(method, path, body)
            Task { await perform(id, request, cancellation) }
        }
    }

    private func request(_ method: HTTPRequest.Method, _ path: String, _ body: ArraySlice<UInt8>) -> Request {
        var head = HTTPRequest(
            method: method, scheme: "http", authority: caller.authority, path: path, headerFields: caller.fields)
        if !body.isEmpty { head.headerFields[.contentType] = "application/json" }
        return Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    }

    private func perform(_ id: Int, _ request: Request, _ cancellation: RequestCancellation) async {
        let answer: [UInt8]
        do {
            answer = try await Self.text(id, try await respond(request, socket.requestContext(logger, cancellation)))
        } catch {
            // The server's responder turns every error into an answer.
            answer = Self.text(SocketMessage.Refusal(.internalError, id: id))
        }
        running[id] = nil
        if !cancellation.isCancelled { send(answer) }
    }

    private func send(_ refusal: SocketMessage.Refusal) { send(Self.text(refusal)) }

    private func send(_ text: [UInt8]) {
        guard unread.add(text.count) else { return socket.close() }
        socket.send(text) { [unread] in unread.remove(text.count) }
    }

    private static func text(_ id: Int, _ response: Response) async throws -> [UInt8] {
        line(id, response.status.code) + (try await response.collectedBytes())
    }

    private static func text(_ refusal: SocketMessage.Refusal) -> [UInt8] {
        line(refusal.id, refusal.error.status) + ((try? Reply.body(of: refusal.error)) ?? [])
    }

    private static func line(_ id: Int?, _ status: Int) -> [UInt8] {
        Array("{\"id\":\(id.map(String.init) ?? "null"),\"status\":\(status)}\n".utf8)
    }
}

/// The bytes of answers that the system does not take, because the caller reads none.
private final class UnreadAnswers: Sendable {
    private static let most = 1 << 24

    private let count = Mutex(0)

    /// - Returns: whether there is room for them.
    func add(_ bytes: Int) -> Bool {
        count.withLock { count in
            count += bytes
            return count <= Self.most
        }
    }

    func remove(_ bytes: Int) { count.withLock { $0 -= bytes } }
}
