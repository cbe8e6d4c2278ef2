internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// An app's HTTP connection to the relying party, which keeps the session cookie as a browser does.
package struct HarnessClient: Sendable {
    /// The relying party's answer.
    package struct Answer: Sendable {
        /// The HTTP status.
        package let status: Int
        /// The body.
        package let body: [UInt8]

        /// Whether the status is 2xx.
        package var isSuccess: Bool { (200..<300).contains(status) }

        /// Reads the body as JSON.
        package func decode<Body: Decodable>(_ type: Body.Type) throws -> Body {
            try JSONDecoder().decode(type, from: Data(body))
        }

        /// The machine code and the sentence of an error.
        package var problem: Problem? {
            guard !isSuccess else { return nil }
            return (try? decode(ErrorBody.self))?.error
                ?? Problem(code: "http.\(status)", message: "the response has no JSON error")
        }
    }

    /// The relying party's error body.
    package struct Problem: Decodable, Sendable {
        /// The machine code.
        package let code: String
        /// The error in a sentence.
        package let message: String
    }

    private struct ErrorBody: Decodable {
        let error: Problem
    }

    private let session = URLSession(configuration: .ephemeral)
    private let baseURL: String
    private let origin: String

    /// - Parameters:
    ///   - baseURL: the relying party's URL.
    ///   - origin: the origin of the app's pages.
    package init(baseURL: String, origin: String) {
        self.baseURL = baseURL
        self.origin = origin
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
        if let body {
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return Answer(status: response.statusCode, body: Array(data))
    }

    /// Forgets the session, as a new installation of the app would.
    package func forgetSession() {
        session.configuration.httpCookieStorage?.removeCookies(since: .distantPast)
    }
}
