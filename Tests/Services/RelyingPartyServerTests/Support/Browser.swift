import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client over real HTTP that keeps one cookie.
final class Browser: Sendable {
    let baseURL: String
    private let cookie = Mutex<String?>(nil)
    private let session: URLSession

    init(baseURL: String) {
        self.baseURL = baseURL
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        // A busy machine hashes a password for minutes.
        configuration.timeoutIntervalForRequest = 1800
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// The session token in the cookie.
    var token: String? {
        get { cookie.withLock { $0 } }
        set { cookie.withLock { $0 = newValue } }
    }

    func api(_ path: String) -> String { "/api/v1/auth/\(path)" }
    func get(_ path: String) async throws -> Answer { try await send("GET", api(path)) }
    func delete(_ path: String) async throws -> Answer { try await send("DELETE", api(path)) }
    func post(_ path: String) async throws -> Answer { try await send("POST", api(path)) }

    func post(_ path: String, _ body: some Encodable & Sendable) async throws -> Answer {
        try await send("POST", api(path), JSONEncoder().encode(body))
    }

    func put(_ path: String, _ body: [String: String]) async throws -> Answer {
        try await send("PUT", api(path), JSONEncoder().encode(body))
    }

    /// Sends a request to a path of the site.
    func send(
        _ method: String, _ path: String, _ body: Data? = nil, fields: [String: String] = [:]
    ) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: baseURL + path)))
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("touchstone_session=\(token)", forHTTPHeaderField: "Cookie") }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await session.answer(to: request)
        let http = try #require(response as? HTTPURLResponse)
        let setCookie = http.value(forHTTPHeaderField: "Set-Cookie")
        if let value = setCookie?.firstMatch(of: /touchstone_session=([A-Za-z0-9_-]*)/)?.1 {
            token = value.isEmpty ? nil : String(value)
        }
        return Answer(status: http.statusCode, body: data, response: http)
    }
}
