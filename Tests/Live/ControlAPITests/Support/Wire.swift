import Foundation
import NIOCore
import NIOPosix

/// A plain HTTP/1.1 client with one connection per request, which can send malformed requests and read streams.
struct Wire: Sendable {
    let port: Int

    /// An answer.
    struct Answer: Sendable {
        let status: Int
        let fields: [String: String]
        let body: [UInt8]

        func field(_ name: String) -> String? { fields[name.lowercased()] }
    }

    /// An answer that is not HTTP.
    struct NoHTTP: Error { let text: String }

    /// Sends a request and reads the whole answer.
    func send(
        _ method: String, _ path: String, fields: [String: String] = [:], body: [UInt8] = []
    ) async throws -> Answer {
        try await open(method, path, fields: fields.merging(["Connection": "close"]) { first, _ in first }, body: body)
        {
            chunks in
            var bytes: [UInt8] = []
            for try await chunk in chunks {
                bytes += chunk.readableBytesView
                if let answer = try Self.answer(bytes), answer.isWhole { return answer.answer }
            }
            guard let answer = try Self.answer(bytes) else {
                throw NoHTTP(text: String(decoding: bytes, as: UTF8.self))
            }
            return answer.answer
        }
    }

    /// Sends a request and passes the received bytes to `use`.
    func open<Result: Sendable>(
        _ method: String, _ path: String, fields: [String: String] = [:], body: [UInt8] = [],
        _ use: @Sendable (NIOAsyncChannelInboundStream<ByteBuffer>) async throws -> Result
    ) async throws -> Result {
        var head = "\(method) \(path) HTTP/1.1\r\n"
        var fields = fields
        if fields["Host"] == nil { fields["Host"] = "127.0.0.1:\(port)" }
        if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method), fields["Content-Length"] == nil,
            fields["Transfer-Encoding"] == nil
        {
            fields["Content-Length"] = "\(body.count)"
        }
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        let request = ByteBuffer(bytes: Array((head + "\r\n").utf8) + body)
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(request)
            return try await use(inbound)
        }
    }

    private static func answer(_ bytes: [UInt8]) throws -> (answer: Answer, isWhole: Bool)? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw NoHTTP(text: text)
        }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let body = Array(bytes[end...])
        let length = fields["content-length"].flatMap(Int.init)
        return (Answer(status: status, fields: fields, body: body), body.count == length)
    }
}
