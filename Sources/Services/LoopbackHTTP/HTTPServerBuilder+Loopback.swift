internal import Hummingbird
package import HummingbirdCore
internal import NIOCore

extension HTTPServerBuilder {
    /// HTTP/1.1 for clients of this machine: a connection on which a minute long nothing comes is closed, in the middle
    /// of a request, too; while an answer is being made, or an event stream is open, it stays.
    package static var loopback: HTTPServerBuilder { .http1(configuration: .init(idleTimeout: .seconds(60))) }
}
