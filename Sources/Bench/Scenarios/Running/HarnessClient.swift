internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// An app's connection to the relying party: real HTTP, with the session cookie a browser would keep.
package actor HarnessClient {
    /// An answer of the relying party.
    package struct Answer: Sendable {
        /// The HTTP status.
        package let status: Int
        /// The body as it came.
        package let body: [UInt8]

        /// Whether the status is a 2xx.
        package var isSuccess: Bool { (200..<300).contains(status) }

        /// Reads the body as JSON.
        package func decode<Body: Decodable>(_ type: Body.Type) throws -> Body {
            try JSONDecoder().decode(type, from: Data(body))
        }

        /// The machine code and the sentence of an error.
        package var problem: Problem? {
            guard !isSuccess else { return nil }
            return (try? decode(ErrorBody.self))?.error ?? Problem(code: "http.\(status)", message: "no JSON error")
        }
    }

    /// An error as the relying party tells it.
    package struct Problem: Decodable, Sendable {
        /// The machine code.
        package let code: String
        /// The sentence for people.
        package let message: String
    }

    private struct ErrorBody: Decodable {
        let error: Problem
    }

    private let session: URLSession
    private var cookies: [String: String] = [:]
    /// Where the relying party is.
    package private(set) var baseURL: String

    private let origin: String

    /// - Parameter origin: what the app's pages call themselves.
    package init(baseURL: String, origin: String) {
        self.baseURL = baseURL
        self.origin = origin
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        session = URLSession(configuration: configuration)
    }

    /// Sends a request as the app on a device would.
    package func send(
        _ method: String, _ path: String, body: (any Encodable & Sendable)? = nil, userAgent: String
    ) async throws -> Answer {
        guard let url = URL(string: baseURL + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue(userAgent, forHTTPHeaderField: "User-Agent")
        request.setValue(origin, forHTTPHeaderField: "Origin")
        if !cookies.isEmpty {
            let pairs = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            request.setValue(pairs.joined(separator: "; "), forHTTPHeaderField: "Cookie")
        }
        if let body {
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        keepCookies(response)
        return Answer(status: response.statusCode, body: Array(data))
    }

    /// Forgets the session, as a new installation of the app would.
    package func forgetSession() {
        cookies = [:]
    }

    private func keepCookies(_ response: HTTPURLResponse) {
        guard let header = response.value(forHTTPHeaderField: "Set-Cookie") else { return }
        let pair = header.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
        guard let name = pair.first else { return }
        let value = pair.count == 2 ? String(pair[1]) : ""
        cookies[String(name)] = value.isEmpty ? nil : value
    }
}
