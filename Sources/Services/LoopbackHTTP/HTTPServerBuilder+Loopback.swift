internal import Hummingbird
package import HummingbirdCore
internal import NIOCore

extension HTTPServerBuilder {
    /// HTTP/1.1 for clients on this machine.
    ///
    /// The server closes a connection after a minute without input, and a minute after the head of a request whose body is
    /// incomplete. A connection stays open while a response is being made and during an event stream.
    package static var loopback: HTTPServerBuilder {
        .http1(configuration: .init(additionalChannelHandlers: [RequestTimeLimit()], idleTimeout: .seconds(60)))
    }
}
