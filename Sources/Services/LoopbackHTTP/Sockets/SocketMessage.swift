internal import Foundation
package import HTTPTypes

/// A caller's message on a ``RequestSocket``.
///
/// It begins with a line of JSON: `{"id", "method", "path"}` or `{"cancel": ID}`. The other lines are the request's body, in JSON.
package enum SocketMessage: Hashable, Sendable {
    /// The path includes the query; the body is empty without one.
    case request(id: Int, method: HTTPRequest.Method, path: String, body: ArraySlice<UInt8>)
    /// Ends a request without an answer, as closing its connection does.
    case cancel(id: Int)

    /// The largest message, in bytes: a body, and a line.
    package static func largest(ofBody limit: Int) -> Int { limit + longestLine }
    private static let longestLine = 1 << 14

    private struct Line: Decodable {
        let id: Int?
        let method: String?
        let path: String?
        let cancel: Int?
    }

    /// The answer to a message that is not served.
    package struct Refusal: Error, Hashable, Sendable {
        let error: APIError
        /// The message's id, unless it has none or another request has it.
        let id: Int?

        init(_ error: APIError, id: Int? = nil) { (self.error, self.id) = (error, id) }
    }

    /// - Throws: `message.invalid`.
    package init(_ text: [UInt8]) throws(Refusal) {
        let end = text.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        do {
            try JSONText.check(text[..<end])
        } catch {
            throw Refusal(error)
        }
        guard let line = try? JSONDecoder().decode(Line.self, from: Data(text[..<end])) else {
            throw Refusal(
                .messageInvalid(
                    "its first line is neither {\"id\": INTEGER, \"method\", \"path\"} nor {\"cancel\": INTEGER}"))
        }
        if let id = line.cancel {
            self = .cancel(id: id)
            return
        }
        guard let id = line.id, let method = line.method.flatMap({ HTTPRequest.Method(rawValue: $0) }),
            let path = line.path
        else {
            throw Refusal(.messageInvalid("its first line lacks id, method or path"), id: line.id)
        }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Refusal(.messageInvalid("its path does not begin with “/”, or is not percent-encoded"), id: id)
        }
        self = .request(id: id, method: method, path: path, body: text[end...].dropFirst())
    }
}

extension APIError {
    static func messageInvalid(_ problem: String) -> APIError {
        APIError(400, "message.invalid", "The message is not valid: \(problem).")
    }

    static let socketBusy = APIError(
        429, "socket.busy",
        "\(RequestSocket.mostRunning) requests on this WebSocket have no answer yet; wait for one of them.")
}
