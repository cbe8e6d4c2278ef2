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
    private let conditions = Mutex(Conditions())
    private let pass: @Sendable (Duration) -> Void

    /// The conditions that a server's trouble puts a request under.
    private struct Conditions {
        var latency = Duration.zero
        var failingStatus = 0
        var failingRequests = 0
    }

    /// The origin of the app's pages.
    package let origin: String
    private let root: String

    /// - Parameters:
    ///   - verdicts: the log in the harness's configuration.
    ///   - origin: the origin of the app's pages; default: the harness's URL.
    ///   - pass: lets a span pass on the app's clock, for ``slowDown(by:)``.
    package init(
        of harness: Harness, verdicts: VerdictLog, origin: String? = nil,
        pass: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.pass = pass
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
        if let status = failureOfNextRequest() {
            return note(HarnessExchange(request: "\(method) \(path)", status: status, body: [], verdicts: []))
        }
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
        return isRecorded ? note(exchange) : exchange
    }

    private func note(_ exchange: HarnessExchange) -> HarnessExchange {
        exchanges.withLock { $0.append(exchange) }
        return exchange
    }

    /// Lets the latency of a request pass.
    ///
    /// - Returns: the status of a request that the server fails; nil for one that it answers.
    private func failureOfNextRequest() -> Int? {
        let (latency, status) = conditions.withLock { conditions -> (Duration, Int?) in
            guard conditions.failingRequests > 0 else { return (conditions.latency, nil) }
            conditions.failingRequests -= 1
            return (conditions.latency, conditions.failingStatus)
        }
        pass(latency)
        return status
    }

    /// Lets every later request take a span of the app's clock.
    package func slowDown(by latency: Duration) { conditions.withLock { $0.latency = latency } }

    /// Answers the next requests with a status; they have no effect.
    package func fail(status: Int, times: Int) {
        conditions.withLock { ($0.failingStatus, $0.failingRequests) = (status, times) }
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
