package import Hummingbird
internal import NIOCore

/// A request's context, with the connection of its client.
package struct ClientContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel
    /// The end of a request that arrives as a message; nil for a request over HTTP, which ends with its connection.
    private let cancellation: RequestCancellation?

    package init(source: ApplicationRequestContextSource) { self.init(source: source, nil) }

    init(source: ApplicationRequestContextSource, _ cancellation: RequestCancellation?) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        self.cancellation = cancellation
    }

    package var address: String? { channel.remoteAddress?.ipAddress }

    /// Closes the connection without an answer.
    package func closeConnection() { channel.close(promise: nil) }

    /// Runs an operation, and cancels it when the client closes the connection.
    ///
    /// The connection serves further requests afterwards.
    package func cancelOnDisconnect<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        if let cancellation {
            // The operation begins when a cancellation reaches it.
            let (watched, watch) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                for await _ in watched {}
                return try await operation()
            }
            cancellation.watch { task.cancel() }
            watch.finish()
            return try await task.value
        }
        let task = Task { try await operation() }
        let watch = DisconnectHandler { task.cancel() }
        let pipeline = channel.pipeline
        // First, so that no other handler keeps the event.
        pipeline.addHandler(watch, position: .first).whenFailure { _ in task.cancel() }
        defer { pipeline.removeHandler(watch, promise: nil) }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

/// Tells of the end of a connection.
private final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Never

    private let onClose: @Sendable () -> Void

    init(_ onClose: @escaping @Sendable () -> Void) { self.onClose = onClose }

    func handlerAdded(context: ChannelHandlerContext) {
        if !context.channel.isActive { onClose() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        onClose()
        context.fireChannelInactive()
    }

    /// A client that closes its connection is seen to send no more; the channel stays active until an answer fails.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { onClose() }
        context.fireUserInboundEventTriggered(event)
    }
}
