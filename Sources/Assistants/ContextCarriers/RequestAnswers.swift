internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import ModelContext
internal import ServiceLifecycle

/// The answer of one HTTP request, with or without the notifications before it.
///
/// A caller that closes its connection ends the request.
struct RequestAnswers: Sendable {
    private let message: ContextMessage
    private let id: JSONValue
    private let session: ContextSession
    private let onEnd: @Sendable () -> Void

    init(
        _ message: ContextMessage, _ id: JSONValue, _ session: ContextSession, onEnd: @escaping @Sendable () -> Void
    ) {
        (self.message, self.id, self.session, self.onEnd) = (message, id, session, onEnd)
    }

    /// The answer alone.
    func only(_ context: ClientContext) async throws -> OutgoingMessage {
        for try await message in try await messages(context) where message.status != nil { return message }
        throw CancellationError()
    }

    /// The notifications and the answer as server-sent events (HTML §9.2).
    func stream(_ context: ClientContext) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
            body: ResponseBody { writer in
                for try await message in try await messages(context) {
                    let text = Array("event: message\ndata: ".utf8) + (try message.json.bytes()) + Array("\n\n".utf8)
                    try await writer.write(ByteBuffer(bytes: text))
                }
                try await writer.finish(nil)
            })
    }

    /// The messages up to the answer; none after the caller has gone.
    private func messages(_ context: ClientContext) async throws -> AsyncThrowingStream<OutgoingMessage, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: OutgoingMessage.self)
        let work = Task {
            do {
                // A closed connection or a stopping server cancels the request.
                try await cancelWhenGracefulShutdown {
                    try await context.cancelOnDisconnect {
                        let task = session.receive(message) { continuation.yield($0) }
                        await withTaskCancellationHandler {
                            await task?.value
                        } onCancel: {
                            session.cancel(id)
                        }
                    }
                }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
            onEnd()
        }
        continuation.onTermination = { _ in work.cancel() }
        return stream
    }
}
