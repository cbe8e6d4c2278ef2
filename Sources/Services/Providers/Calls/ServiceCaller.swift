internal import Foundation
internal import Harness
internal import LoopbackHTTP

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Calls of one service to another, over HTTP.
struct ServiceCaller: Sendable {
    let site: HarnessSite

    /// The time after which a caller gives up.
    static let patience = Duration.seconds(10)

    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = patience / .seconds(1)
        return URLSession(configuration: configuration)
    }()

    /// An answer with any status.
    struct Answer: Sendable {
        let status: Int
        let body: Data

        var isSuccess: Bool { (200..<300).contains(status) }

        /// Reads the body.
        func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try SnakeCase.decoder.decode(type, from: body)
        }
    }

    /// The called service gave no answer in time, or failed.
    struct Unavailable: Error {}

    func get(_ url: String, bearer: String? = nil) async throws(Unavailable) -> Answer {
        try await send("GET", url, bearer: bearer)
    }

    func post(_ url: String, form: [String: String]) async throws(Unavailable) -> Answer {
        let body = form.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
        return try await send("POST", url, Data(body.utf8), type: "application/x-www-form-urlencoded")
    }

    func put(_ url: String, _ body: some Encodable) async throws(Unavailable) -> Answer {
        guard let data = try? SnakeCase.encoder.encode(body) else { throw Unavailable() }
        return try await send("PUT", url, data, type: "application/json")
    }

    private func send(
        _ method: String, _ url: String, _ body: Data? = nil, type: String? = nil, bearer: String? = nil
    ) async throws(Unavailable) -> Answer {
        guard let target = URL(string: url) else { throw Unavailable() }
        var request = URLRequest(url: target)
        request.httpMethod = method
        request.setValue(WaitPreference(Self.patience).text, forHTTPHeaderField: WaitPreference.header)
        request.httpBody = body
        if let type { request.setValue(type, forHTTPHeaderField: "Content-Type") }
        if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        let start = site.configuration.clock()
        guard let (data, response) = try? await Self.session.data(for: request),
            let status = (response as? HTTPURLResponse)?.statusCode, status < 500,
            site.configuration.clock() - start < Self.patience
        else { throw Unavailable() }
        return Answer(status: status, body: data)
    }

    /// A text in a form or a query.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
