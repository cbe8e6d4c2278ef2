internal import Hummingbird
package import HummingbirdCore
internal import NIOCore

extension HTTPServerBuilder {
    /// HTTP/1.1 for clients on this machine.
    ///
    /// A connection without input for a minute is closed, and one whose request takes longer than a minute to arrive. It
    /// stays open while a response is being made and during an event stream.
    package static var loopback: HTTPServerBuilder {
        .http1(configuration: .init(additionalChannelHandlers: [RequestTimeLimit()], idleTimeout: .seconds(60)))
    }
}
