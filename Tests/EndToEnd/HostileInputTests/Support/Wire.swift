import Dispatch
import Foundation

/// HTTP as bytes, because a hostile client sends requests that no library would.
enum Wire {
    /// The end of a connection without an answer.
    struct NoAnswer: Error {}

    /// Sends bytes to a port of this computer, and reads until the server closes or the time is over.
    static func exchange(_ text: String, port: Int, seconds: Int = 20) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            // A thread of its own, because threads of the concurrency pool must not block.
            DispatchQueue(label: "wire").async {
                continuation.resume(with: Result { try blockingExchange(text, port: port, seconds: seconds) })
            }
        }
    }

    /// A request with a JSON body, after which the server closes the connection.
    static func request(
        _ method: String, _ path: String, port: Int, token: String? = nil, fields: [String] = [], body: String = ""
    ) -> String {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields
        if let token { lines.append("Authorization: Bearer \(token)") }
        if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// The status of an answer; 0 for none.
    static func status(_ answer: String) -> Int {
        Int(answer.split(separator: " ", maxSplits: 2).dropFirst().first ?? "") ?? 0
    }

    /// Connects to a port; the caller closes the descriptor.
    static func connect(port: Int, seconds: Int = 20) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw NoAnswer() }
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Foundation.connect(descriptor, $0, length) }
        }
        guard connected == 0 else {
            close(descriptor)
            throw NoAnswer()
        }
        return descriptor
    }

    /// Sends bytes on a connection, and reads until the server closes it.
    static func exchange(_ text: String, on descriptor: Int32) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "wire").async {
                continuation.resume(with: Result { try blockingExchange(text, on: descriptor) })
            }
        }
    }

    private static func blockingExchange(_ text: String, port: Int, seconds: Int) throws -> String {
        let descriptor = try connect(port: port, seconds: seconds)
        defer { close(descriptor) }
        return try blockingExchange(text, on: descriptor)
    }

    private static func blockingExchange(_ text: String, on descriptor: Int32) throws -> String {
        let bytes = Array(text.utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw NoAnswer() }
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { answer += chunk[..<count] }
        guard !answer.isEmpty else { throw NoAnswer() }
        return String(decoding: answer, as: UTF8.self)
    }
}
