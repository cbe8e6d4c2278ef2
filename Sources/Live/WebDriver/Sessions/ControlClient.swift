internal import ControlAPI
internal import Documents
internal import LoopbackHTTP

/// A client of the control API in this process.
struct ControlClient: Sendable {
    let server: ControlServer
    private let client: LoopbackClient
    private let token: AccessToken

    init(_ server: ControlServer, token: AccessToken) {
        self.server = server
        client = LoopbackClient(port: server.port)
        self.token = token
    }

    /// Sends a request; a cancelled task ends the request at the server.
    func send(
        _ method: String, _ path: String, _ body: JSONValue? = nil
    ) async throws -> (answer: LoopbackClient.Answer, json: JSONValue) {
        let answer = try await send(method, path, bytes: try body?.bytes() ?? [])
        return (answer, answer.body.isEmpty ? .null : try JSONValue(parsing: answer.body))
    }

    func send(_ method: String, _ path: String, bytes: [UInt8]) async throws -> LoopbackClient.Answer {
        var fields = [("Authorization", "Bearer \(token.text)")]
        if !bytes.isEmpty { fields.append(("Content-Type", "application/json")) }
        return try await client.send(method, path, fields: fields, body: bytes)
    }
}
