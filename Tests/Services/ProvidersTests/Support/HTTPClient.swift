import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An HTTP answer.
struct Answer: Sendable {
    let status: Int
    let body: Data
    let fields: HTTPURLResponse

    func field(_ name: String) -> String? { fields.value(forHTTPHeaderField: name) }
    var text: String { String(decoding: body, as: UTF8.self) }

    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }

    /// A text in the JSON object.
    subscript(name: String) -> String? {
        (try? JSONSerialization.jsonObject(with: body) as? [String: Any])?[name] as? String
    }

    /// The code of the server's errors, and of the services'.
    var code: String? {
        (try? decode([String: [String: String]].self))?["error"]?["code"]
            ?? self["error_code"] ?? self["errorCode"]
    }

    /// The parameters of the redirect's target.
    var redirected: [String: String] {
        let items = field("Location").flatMap { URLComponents(string: $0) }?.queryItems ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}

/// An HTTP client that follows no redirects and keeps no cookies.
final class HTTPClient: NSObject, URLSessionTaskDelegate, Sendable {
    private let base: String
    private let configuration: URLSessionConfiguration

    init(base: String) {
        self.base = base
        configuration = .ephemeral
        configuration.httpCookieStorage = nil
        configuration.timeoutIntervalForRequest = 1800
    }

    func get(_ path: String, _ query: [String: String] = [:], bearer: String? = nil) async throws -> Answer {
        try await send("GET", path + (query.isEmpty ? "" : "?" + form(query)), bearer: bearer)
    }

    func post(form fields: [String: String], to path: String) async throws -> Answer {
        try await send("POST", path, Data(form(fields).utf8), type: "application/x-www-form-urlencoded")
    }

    func post(
        _ path: String, _ body: some Encodable & Sendable, bearer: String? = nil, fields: [String: String] = [:]
    ) async throws -> Answer {
        try await send("POST", path, JSONEncoder().encode(body), bearer: bearer, fields: fields)
    }

    func put(_ path: String, _ body: some Encodable & Sendable) async throws -> Answer {
        try await send("PUT", path, JSONEncoder().encode(body))
    }

    func send(
        _ method: String, _ path: String, _ body: Data? = nil, type: String = "application/json",
        bearer: String? = nil, fields: [String: String] = [:]
    ) async throws -> Answer {
        let url = path.hasPrefix("http") ? path : base + path
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
        if let bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.answer(to: request)
        let http = try #require(response as? HTTPURLResponse)
        return Answer(status: http.statusCode, body: data, fields: http)
    }

    private func form(_ fields: [String: String]) -> String {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        return fields.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }.joined(separator: "&")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
