internal import Foundation
internal import LoopbackHTTP
internal import Synchronization

/// An app's connection to a relying party server, which keeps the session cookie as a browser does, and records each
/// exchange together with the relying party's verdicts.
package final class RelyingPartyClient: Sendable {
    private let port: Int
    private let http: LoopbackClient
    private let cookies = Mutex<[String: String]>([:])
    private let verdicts: VerdictLog
    private let onExchange: @Sendable (RelyingPartyExchange) -> Void

    package let origin: String

    /// - Parameter origin: the origin of the app's pages; default: the server's URL.
    package convenience init(
        of server: RelyingPartyServer, verdicts: VerdictLog, origin: String? = nil,
        onExchange: @escaping @Sendable (RelyingPartyExchange) -> Void = { _ in }
    ) {
        self.init(port: server.port, verdicts: verdicts, origin: origin ?? server.baseURL, onExchange: onExchange)
    }

    /// Another browser or app on the same pages, with a session of its own.
    package convenience init(beside other: RelyingPartyClient) {
        self.init(port: other.port, verdicts: other.verdicts, origin: other.origin, onExchange: other.onExchange)
    }

    private init(
        port: Int, verdicts: VerdictLog, origin: String, onExchange: @escaping @Sendable (RelyingPartyExchange) -> Void
    ) {
        (self.port, self.verdicts, self.origin, self.onExchange) = (port, verdicts, origin, onExchange)
        http = LoopbackClient(port: port)
    }

    /// - Parameters:
    ///   - root: the path that `path` is below; empty for the server's root.
    ///   - isRecorded: whether `onExchange` is told of the exchange.
    /// - Throws: `LoopbackClientError` when the server does not answer, or `CancellationError`.
    package func send(
        _ method: String, _ path: String, below root: String = RelyingPartyServer.api,
        body: (any Encodable & Sendable)? = nil,
        headers: [String: String] = [:], userAgent: String, isRecorded: Bool = true
    ) async throws -> RelyingPartyExchange {
        var fields = [("User-Agent", userAgent), ("Origin", origin)] + headers.map { ($0.key, $0.value) }
        let sent = cookies.withLock { $0.map { "\($0)=\($1)" }.sorted() }
        if !sent.isEmpty { fields.append(("Cookie", sent.joined(separator: "; "))) }
        var bytes: [UInt8] = []
        if let body {
            bytes = Array(try JSONEncoder().encode(body))
            fields.append(("Content-Type", "application/json"))
        }
        let answer = try await http.send(method, root + path, fields: fields, body: bytes)
        for cookie in answer.values(of: "set-cookie") { keep(cookie) }
        let exchange = RelyingPartyExchange(
            request: "\(method) \(path)", requestBody: bytes, status: answer.status, body: answer.body,
            contentType: answer.values(of: "content-type").first?.split(separator: ";").first.map(String.init),
            verdicts: verdicts.take())
        if isRecorded { onExchange(exchange) }
        return exchange
    }

    /// Keeps a cookie; one without a value is the server's way to end it.
    private func keep(_ cookie: String) {
        let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = pair.first.map(String.init), let value = pair.dropFirst().first else { return }
        cookies.withLock { $0[name] = value.isEmpty ? nil : String(value) }
    }

    /// Forgets the session, as a new installation of the app would.
    package func forgetSession() { cookies.withLock { $0 = [:] } }
}

/// The relying party's verdicts, until they are read.
package final class VerdictLog: Sendable {
    private let events = Mutex<[RelyingPartyEvent]>([])

    package init() {}

    /// The observer for ``RelyingPartyConfiguration/onVerdict``.
    @Sendable package func append(_ event: RelyingPartyEvent) { events.withLock { $0.append(event) } }

    fileprivate func take() -> [RelyingPartyEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
