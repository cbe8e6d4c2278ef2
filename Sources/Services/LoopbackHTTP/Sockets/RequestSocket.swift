package import HTTPTypes
package import Hummingbird
package import Logging
internal import NIOCore

/// Serves requests that are messages of a WebSocket, each as one of the server's own requests.
///
/// A message is a ``SocketMessage``. Its answer is `{"id": ID, "status": STATUS}`, a line feed, and the body if there is one.
package actor RequestSocket {
    /// The parts that the caller's requests have in common.
    package struct Caller: Sendable {
        let authority: String
        let fields: HTTPFields

        /// - Parameters:
        ///   - authority: the server's host and port.
        ///   - fields: the fields of each request, such as `Authorization`.
        package init(authority: String, fields: HTTPFields) {
            (self.authority, self.fields) = (authority, fields)
        }
    }

    /// Answers a request, as a router does.
    package typealias Responder = @Sendable (Request, ClientContext) async throws -> Response

    /// The largest number of requests without an answer.
    package static let mostRunning = 64

    private let socket: TextSocket
    private let caller: Caller
    private let logger: Logger
    private let respond: Responder
    private var running: [Int: Task<Void, Never>] = [:]

    package init(_ socket: TextSocket, for caller: Caller, logger: Logger, _ respond: @escaping Responder) {
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
                await answer(nil, error)
            }
        }
        for task in running.values { task.cancel() }
    }

    private func receive(_ message: SocketMessage) throws(APIError) {
        switch message {
        case .cancel(let id): running[id]?.cancel()
        case .request(let id, let method, let path, let body):
            guard running[id] == nil else { throw .messageInvalid("a request with its id has no answer yet") }
            guard running.count < Self.mostRunning else { throw .socketBusy }
            let request = request(method, path, body)
            running[id] = Task {
                await perform(id, request)
                running[id] = nil
            }
        }
    }

    private func request(_ method: HTTPRequest.Method, _ path: String, _ body: ArraySlice<UInt8>) -> Request {
        var head = HTTPRequest(
            method: method, scheme: "http", authority: caller.authority, path: path, headerFields: caller.fields)
        if !body.isEmpty { head.headerFields[.contentType] = "application/json" }
        return Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    }

    private func perform(_ id: Int, _ request: Request) async {
        do {
            await send(id, try await respond(request, socket.requestContext(logger)))
        } catch {
            // The server's responder turns every error into an answer, unless the request is cancelled.
            await answer(id, .internalError)
        }
    }

    private func answer(_ id: Int?, _ error: APIError) async {
        if let response = try? Reply.error(error) { await send(id, response) }
    }

    private func send(_ id: Int?, _ response: Response) async {
        var text = Array("{\"id\":\(id.map(String.init) ?? "null"),\"status\":\(response.status.code)}\n".utf8)
        guard let body = try? await CollectedBody.bytes(of: response.body), !Task.isCancelled else { return }
        text += body
        socket.send(text)
    }
}

/// Keeps the body of a response.
private struct CollectedBody: ResponseBodyWriter {
    private let continuation: AsyncStream<ByteBuffer>.Continuation

    static func bytes(of body: ResponseBody) async throws -> [UInt8] {
        let (parts, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
        try await body.write(CollectedBody(continuation: continuation))
        continuation.finish()
        var bytes: [UInt8] = []
        for await part in parts { bytes += part.readableBytesView }
        return bytes
    }

    func write(_ buffer: ByteBuffer) { continuation.yield(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) {}
}
