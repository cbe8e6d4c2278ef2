internal import Foundation
internal import LoopbackHTTP
internal import RelyingPartyServer

/// Calls of one service to another on the same server, over HTTP.
struct ServiceCaller: Sendable {
    let site: RelyingPartySite

    static let patience = Duration.seconds(10)

    /// An answer with any status.
    struct Answer: Sendable {
        let status: Int
        let body: Data

        var isSuccess: Bool { (200..<300).contains(status) }

        func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try SnakeCase.decoder.decode(type, from: body)
        }
    }

    /// The called service gave no answer in time, or failed.
    struct Unavailable: Error {}

    func get(
        _ path: String, bearer: String? = nil, within patience: Duration = patience
    ) async throws(Unavailable) -> Answer {
        try await send("GET", path, bearer: bearer, within: patience)
    }

    func post(_ path: String, form: [String: String]) async throws(Unavailable) -> Answer {
        let body = form.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
        return try await send("POST", path, Data(body.utf8), type: "application/x-www-form-urlencoded")
    }

    func put(_ path: String, _ body: some Encodable) async throws(Unavailable) -> Answer {
        guard let data = try? SnakeCase.encoder.encode(body) else { throw Unavailable() }
        return try await send("PUT", path, data, type: "application/json")
    }

    private func send(
        _ method: String, _ path: String, _ body: Data = Data(), type: String? = nil, bearer: String? = nil,
        within patience: Duration = patience
    ) async throws(Unavailable) -> Answer {
        var fields = [(WaitPreference.header, WaitPreference(patience).text)]
        if let type { fields.append(("Content-Type", type)) }
        if let bearer { fields.append(("Authorization", "Bearer \(bearer)")) }
        let start = site.configuration.clock()
        let answer = try? await withThrowingTaskGroup(of: LoopbackClient.Answer?.self) { [fields] group in
            group.addTask { [site] in
                try await LoopbackClient(port: site.port).send(method, path, fields: fields, body: Array(body))
            }
            group.addTask {
                try await becomeImpatient(since: start, after: patience)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        guard let answer, answer.status < 500, site.configuration.clock() - start < patience else {
            throw Unavailable()
        }
        return Answer(status: answer.status, body: Data(answer.body))
    }

    /// Returns when the caller gives up, by the server's clock: a simulated one may stand still.
    private func becomeImpatient(since start: Duration, after patience: Duration) async throws {
        while case let left = patience - (site.configuration.clock() - start), left > .zero {
            try await Task.sleep(for: left)
        }
    }

    /// A text in a form or a query.
    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
