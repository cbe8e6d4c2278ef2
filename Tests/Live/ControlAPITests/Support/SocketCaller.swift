import Documents
import LoopbackHTTP
import Testing

@testable import ControlAPI

/// A program that sends its requests on a WebSocket.
final class SocketCaller: Sendable {
    let socket: MessageSocket

    /// An answer's line and body.
    struct Answer: Sendable {
        let line: JSONValue
        let body: JSONValue

        var id: Int? { line["id"]?.integer }
        var status: Int? { line["status"]?.integer }
        var code: String? { body["error"]?["code"]?.text }
    }

    /// Opens the WebSocket, and waits for its greeting.
    init(_ address: SocketAddress) async throws {
        socket = try await MessageSocket.connect(to: MessageSocket.Address(address.url))
        let greeting = try #require(await message())
        #expect(String(decoding: greeting, as: UTF8.self) == address.greeting)
    }

    /// Sends a message as it is.
    func send(_ text: String) { socket.send(Array(text.utf8)) }

    /// Sends a request.
    func send(_ id: Int, _ method: String, _ path: String, _ body: JSONValue? = nil) throws {
        let line: JSONValue = ["id": .integer(id), "method": .text(method), "path": .text(path)]
        socket.send(try line.bytes() + (try body.map { [0x0A] + (try $0.bytes()) } ?? []))
    }

    /// The next answer; nil when the WebSocket has ended.
    func next() async throws -> Answer? {
        guard let text = await message() else { return nil }
        let parts = text.split(separator: 0x0A, maxSplits: 1).map(Array.init)
        let line = try JSONValue(parsing: try #require(parts.first))
        return Answer(line: line, body: try parts.dropFirst().first.map(JSONValue.init(parsing:)) ?? .null)
    }

    private func message() async -> [UInt8]? {
        for await text in socket.messages { return text }
        return nil
    }

    /// Sends a request, and waits for its answer.
    func ask(_ id: Int, _ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> Answer {
        try send(id, method, path, body)
        return try #require(try await next())
    }
}
