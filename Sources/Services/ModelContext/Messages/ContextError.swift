package import Documents

/// An error of the protocol: a message that cannot be read, or a request that names nothing the server has.
package struct ContextError: Error, Hashable, Sendable {
    /// The kinds of errors, with their codes of JSON-RPC 2.0 §5.1 and of MCP.
    package enum Kind: Int, Sendable {
        case notJSON = -32700
        case invalidRequest = -32600
        case unknownMethod = -32601
        case invalidParameters = -32602
        case failed = -32603
        /// Too many requests have no answer yet; the code is this server's own.
        case busy = -32000
        /// A resource that does not exist, in the revisions with a handshake.
        case unknownResource = -32002
        /// The header fields of an HTTP request differ from its body.
        case headerMismatch = -32020
        case unsupportedRevision = -32022

        /// The HTTP status of the answer (MCP 2026-07-28, Streamable HTTP).
        package var status: Int {
            switch self {
            case .unknownMethod: 404
            case .failed: 500
            case .busy: 429
            case .unknownResource: 200
            case .notJSON, .invalidRequest, .invalidParameters, .headerMismatch, .unsupportedRevision: 400
            }
        }
    }

    package let kind: Kind
    package let message: String
    package var data: JSONValue?

    package init(_ kind: Kind, _ message: String, data: JSONValue? = nil) {
        (self.kind, self.message, self.data) = (kind, message, data)
    }

    static func invalid(_ place: String, _ problem: String) -> ContextError {
        ContextError(.invalidParameters, "The member “\(place)” \(problem).")
    }

    static func unsupported(_ wanted: String) -> ContextError {
        let all = ContextRevision.all.map(\.rawValue)
        return ContextError(
            .unsupportedRevision,
            "The revision \(wanted) is not supported; use one of \(all.joined(separator: ", ")).",
            data: ["supported": .array(all.map(JSONValue.text)), "requested": .text(wanted)])
    }
}
