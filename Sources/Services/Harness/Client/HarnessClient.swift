internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// An app's connection to a harness, which keeps the session cookie as a browser does, and records each exchange
/// together with the relying party's verdicts.
package final class HarnessClient: Sendable {
    private let session = URLSession(configuration: .ephemeral)
    private let verdicts: VerdictLog
    private let exchanges = Mutex<[HarnessExchange]>([])
    private let onExchange: @Sendable (HarnessExchange) -> Void

    /// The origin of the app's pages.
    package let origin: String
    private let root: String

    /// - Parameters:
    ///   - verdicts: the log in the harness's configuration.
    ///   - origin: the origin of the app's pages; default: the harness's URL.
    ///   - onExchange: is called with each recorded exchange.
    package init(
        of harness: Harness, verdicts: VerdictLog, origin: String? = nil,
        onExchange: @escaping @Sendable (HarnessExchange) -> Void = { _ in }
    ) {
        self.onExchange = onExchange
        self.verdicts = verdicts
        self.origin = origin ?? harness.baseURL
        root = harness.baseURL + Harness.api
    }

    /// Sends a request of the app to a path of the API.
    ///
    /// - Parameter isRecorded: whether the exchange is among those that ``takeExchanges()`` returns.
    /// - Throws: `URLError`.
    package func send(
        _ method: String, _ path: String, body: (any Encodable & Sendable)? = nil, userAgent: String,
        isRecorded: Bool = true
    ) async throws -> HarnessExchange {
        guard let url = URL(string: root + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        request.setValue(origin, forHTTPHeaderField: "Origin")
        if let body {
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        let exchange = HarnessExchange(
            request: "\(method) \(path)", status: response.statusCode, body: Array(data), verdicts: verdicts.take())
        if isRecorded {
            exchanges.withLock { $0.append(exchange) }
            onExchange(exchange)
        }
        return exchange
    }

    /// The exchanges since the last call.
    package func takeExchanges() -> [HarnessExchange] { exchanges.takeAll() }

    /// Forgets the session, as a new installation of the app would.
    package func forgetSession() {
        session.configuration.httpCookieStorage?.removeCookies(since: .distantPast)
    }
}

/// The relying party's verdicts, until they are read.
package final class VerdictLog: Sendable {
    private let events = Mutex<[HarnessEvent]>([])

    package init() {}

    /// The observer for ``HarnessConfiguration/onVerdict``.
    @Sendable package func append(_ event: HarnessEvent) { events.withLock { $0.append(event) } }

    fileprivate func take() -> [HarnessEvent] { events.takeAll() }
}

extension Mutex {
    fileprivate borrowing func takeAll<Element: Sendable>() -> [Element] where Value == [Element] {
        withLock { elements in
            defer { elements = [] }
            return elements
        }
    }
}
