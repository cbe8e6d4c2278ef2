package import Documents

/// A message of a client: JSON-RPC 2.0 as MCP restricts it.
package enum ContextMessage: Hashable, Sendable {
    case request(id: JSONValue, method: String, params: [String: JSONValue])
    case notification(method: String, params: [String: JSONValue])
    /// An answer; this server asks nothing, so that it has no use for one.
    case answer

    /// A message that cannot be read, with the identifier of its request if that can be read.
    package struct Refusal: Error, Hashable, Sendable {
        package let id: JSONValue?
        package let error: ContextError
    }

    /// The largest message, in bytes.
    package static let largest = 4 << 20

    /// Reads one message in UTF-8.
    package init(parsing bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= Self.largest else { throw Self.tooLong }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Refusal(id: nil, error: ContextError(.notJSON, "The message is not UTF-8; send it in UTF-8."))
        }
        if let mistake = JSONMistake(in: bytes, refusingRepeatedNames: true) {
            throw Refusal(id: nil, error: ContextError(.notJSON, "The message is not JSON: \(mistake)."))
        }
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw Refusal(
                id: nil, error: ContextError(.notJSON, "The message holds a number or a nesting that is too large."))
        }
        try self.init(value)
    }

    /// The error about a message over the limit.
    package static let tooLong = Refusal(
        id: nil,
        error: ContextError(.invalidRequest, "The message is larger than \(largest) bytes; send a smaller one."))

    private init(_ value: JSONValue) throws(Refusal) {
        guard let members = value.object else {
            let advice = value.array == nil ? "send an object" : "send each message of a batch alone"
            throw Refusal(id: nil, error: ContextError(.invalidRequest, "The message is \(value.noun); \(advice)."))
        }
        let id = try Self.identifier(members)
        func refuse(_ member: String, _ problem: String) -> Refusal {
            Refusal(id: id, error: ContextError(.invalidRequest, "The member “\(member)” \(problem)."))
        }
        guard members["jsonrpc"] == "2.0" else { throw refuse("jsonrpc", "must be \"2.0\"") }
        guard let method = members["method"] else {
            guard members["result"] != nil || members["error"] != nil else { throw refuse("method", "is missing") }
            self = .answer
            return
        }
        guard let name = method.text else { throw refuse("method", "must be text, not \(method.noun)") }
        let params = members["params"] ?? [:]
        guard let params = params.object else { throw refuse("params", "must be an object, not \(params.noun)") }
        self = id.map { .request(id: $0, method: name, params: params) } ?? .notification(method: name, params: params)
    }

    /// The identifier; nil for a message without one.
    private static func identifier(_ members: [String: JSONValue]) throws(Refusal) -> JSONValue? {
        switch members["id"] {
        case nil: return nil
        case .text?, .integer?: return members["id"]
        case let other?:
            throw Refusal(
                id: nil,
                error: ContextError(
                    .invalidRequest, "The member “id” must be text or a whole number, not \(other.noun)."))
        }
    }
}
