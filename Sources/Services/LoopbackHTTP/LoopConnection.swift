internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Transports

/// Serves each connection on the thread of its event loop, so that no other thread has to wake up for a request.
///
/// Ceremonies run in tasks of their own, on the threads of the process.
struct LoopConnection: ServerChildChannel {
    let base: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger)
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await withTaskExecutorPreference(EventLoopExecutor(value.channel.eventLoop)) {
            await base.handle(value: value, logger: logger)
        }
    }
}
