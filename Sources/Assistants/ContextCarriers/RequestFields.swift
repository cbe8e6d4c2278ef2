internal import Documents
internal import Foundation
internal import HTTPTypes
internal import ModelContext

/// The header fields of a request that repeat its body (MCP 2026-07-28, Streamable HTTP, Request Metadata).
struct RequestFields {
    private let fields: HTTPFields

    init(_ fields: HTTPFields) { self.fields = fields }

    /// The parameter that the field `Mcp-Name` repeats, by method.
    private static let names = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"]

    /// - Throws: `ContextError` for a field that is missing, or differs from the body.
    func check(_ method: String, _ params: [String: JSONValue]) throws(ContextError) {
        let revision = ContextSession.statedRevision(params)?.text ?? ""
        // Another revision is refused with the ones that the server has.
        guard revision == ContextRevision.current.rawValue else { return }
        try compare("MCP-Protocol-Version", plain("MCP-Protocol-Version"), revision)
        try compare("Mcp-Method", plain("Mcp-Method"), method)
        if let member = Self.names[method], let name = params[member]?.text {
            try compare("Mcp-Name", plain("Mcp-Name").map(Self.decoded), name)
        }
    }

    private func plain(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

    private func compare(_ field: String, _ found: String?, _ wanted: String) throws(ContextError) {
        guard let found else {
            throw ContextError(.headerMismatch, "The field \(field) is missing; send it with the value of the body.")
        }
        guard found == wanted else {
            throw ContextError(
                .headerMismatch, "The field \(field) is “\(found)”, and the body has “\(wanted)”; send the same value.")
        }
    }

    /// A value that may be base64 between marks, because it is not plain ASCII.
    private static func decoded(_ value: String) -> String {
        let (start, end) = ("=?base64?", "?=")
        guard value.hasPrefix(start), value.hasSuffix(end), value.count >= start.count + end.count,
            let data = Data(base64Encoded: String(value.dropFirst(start.count).dropLast(end.count)))
        else { return value }
        return String(data: data, encoding: .utf8) ?? value
    }
}
