package import Documents

/// A message of the server.
package struct OutgoingMessage: Hashable, Sendable {
    package let json: JSONValue
    /// The HTTP status of an answer; nil for a notification, after which more messages follow.
    package let status: Int?

    static func result(_ result: [String: JSONValue], id: JSONValue) -> OutgoingMessage {
        OutgoingMessage(json: ["jsonrpc": "2.0", "id": id, "result": .object(result)], status: 200)
    }

    /// - Parameter id: the request; nil for a message whose identifier cannot be read.
    package static func error(_ error: ContextError, id: JSONValue?) -> OutgoingMessage {
        var members: [String: JSONValue] = [
            "code": .integer(error.kind.rawValue), "message": .text(error.message),
        ]
        members["data"] = error.data
        return OutgoingMessage(
            json: ["jsonrpc": "2.0", "id": id ?? .null, "error": .object(members)], status: error.kind.status)
    }

    static func notification(_ method: String, _ params: [String: JSONValue]) -> OutgoingMessage {
        OutgoingMessage(json: ["jsonrpc": "2.0", "method": .text(method), "params": .object(params)], status: nil)
    }
}
