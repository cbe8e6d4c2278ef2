internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import Synchronization

/// An HTTP client of one server, usually on this computer, which keeps its connections open between requests.
package final class LoopbackClient: Sendable {
    package struct Answer: Sendable {
        package let status: Int
        /// The fields in their order, names in lower case.
        package let fields: [(name: String, value: String)]
        package let body: [UInt8]

        /// The values of a field, whose name is in lower case.
        package func values(of name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    }

    private let address: String
    private let port: Int
    private let host: String
    private let tls: ClientTLS?
    private let idle = Mutex<[any Channel]>([])

    /// - Parameter port: the server's port on 127.0.0.1.
    package init(port: Int) { (address, self.port, host, tls) = ("127.0.0.1", port, "localhost:\(port)", nil) }

    /// - Parameter tls: for a server on https; nil for http.
    package init(host: String, port: Int, tls: ClientTLS? = nil) {
        (address, self.port, self.tls) = (host, port, tls)
        self.host = port == (tls == nil ? 80 : 443) ? host : "\(host):\(port)"
    }

    deinit {
        for channel in idle.withLock({ $0 }) { channel.close(promise: nil) }
    }

    /// Sends a request, and waits for the whole response.
    ///
    /// A cancelled task stops waiting at once; the server may have received its request.
    ///
    /// - Parameter fields: the request's fields besides `Host` and `Content-Length`.
    /// - Throws: ``LoopbackClientError``, or `CancellationError` in a cancelled task.
    package func send(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> Answer {
        var head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: target)
        head.headers = HTTPHeaders([("Host", host)] + fields)
        // Without a length a POST becomes chunked, which simple servers do not read (RFC 9110 §8.6).
        if !body.isEmpty || !head.method.isSafe {
            head.headers.add(name: "Content-Length", value: "\(body.count)")
        }
        let request = LoopbackRequest(head: head, body: ByteBuffer(bytes: body))
        do {
            try Task.checkCancellation()
            let answer = try await answer(to: request)
            try Task.checkCancellation()
            return answer
        } catch {
            try Task.checkCancellation()
            throw LoopbackClientError(error)
        }
    }

    /// Exchanges a request on an idle connection, or on a new one.
    ///
    /// The server may have closed an idle connection; a new one shows whether the server is there. A request that may
    /// have reached the server is sent again only if a second one changes nothing (RFC 9110 §9.2.2).
    private func answer(to request: LoopbackRequest) async throws -> Answer {
        if let channel = takeIdle() {
            do {
                return try await exchange(request, on: channel)
            } catch {
                let mayRepeat = error is LoopbackExchange.NotSent || request.head.method.isSafe
                guard mayRepeat, !Task.isCancelled else { throw error }
            }
        }
        return try await exchange(request, on: try await connect())
    }

    package func close() async {
        let channels = idle.withLock { idle in
            defer { idle = [] }
            return idle
        }
        for channel in channels { try? await channel.close() }
    }

    private func takeIdle() -> (any Channel)? {
        idle.withLock { idle in
            while let channel = idle.popLast() {
                if channel.isActive { return channel }
            }
            return nil
        }
    }

    private func connect() async throws -> any Channel {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let ready = loop.makePromise(of: Void.self)
        do {
            let bootstrap = ClientBootstrap(group: loop)
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { [tls] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        if let tls { try pipeline.addHandler(tls.handler()) }
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(LoopbackExchange(handshake: tls == nil ? nil : ready))
                    }
                }
            // An address needs no look-up, which would wait for another thread.
            let channel =
                if let literal = try? SocketAddress(ipAddress: address, port: port) {
                    try await bootstrap.connect(to: literal).get()
                } else {
                    try await bootstrap.connect(host: address, port: port).get()
                }
            if tls == nil { ready.succeed() }
            // The handshake's failure is the reason, not the closed connection that follows it.
            try await ready.futureResult.get()
            return channel
        } catch {
            ready.fail(error)
            throw error
        }
    }

    private func exchange(_ request: LoopbackRequest, on channel: any Channel) async throws -> Answer {
        let promise = channel.eventLoop.makePromise(of: (Answer, isKept: Bool).self)
        channel.writeAndFlush((request, promise)).whenFailure { error in
            // A closed channel no longer has the handler that would say so.
            promise.fail(error as? ChannelError == .ioOnClosedChannel ? LoopbackExchange.NotSent() : error)
        }
        let (answer, isKept) = try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
        if isKept { idle.withLock { $0.append(channel) } } else { channel.close(promise: nil) }
        return answer
    }
}

extension HTTPMethod {
    /// Whether a request changes nothing at the server (RFC 9110 §9.2.1).
    fileprivate var isSafe: Bool { [.GET, .HEAD, .OPTIONS].contains(self) }
}

/// The reason why a server did not answer.
package struct LoopbackClientError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the file with trusted authorities is the reason, and not the server.
    package let isOfAuthorities: Bool
    /// Whether the server has closed the connection instead of an answer.
    package let isClosed: Bool

    init(_ error: any Error) {
        // A name with several addresses has an error for each.
        let cause = (error as? NIOConnectionError)?.connectionErrors.first?.error ?? error
        isOfAuthorities = (cause as? TLSError)?.isOfAuthorities ?? false
        isClosed = error is LoopbackExchange.Closed
        description =
            switch error {
            case let error as NIOConnectionError:
                error.connectionErrors.first.map { Self.words($0.error) } ?? "no address"
            default: Self.words(error)
            }
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as IOError where error.errnoCode == ECONNREFUSED: "the connection was refused"
        case let error as IOError: String(cString: strerror(error.errnoCode))
        default: "\(error)"
        }
    }
}
