internal import Documents

/// How a relying party hands out a CSRF token, and how requests send it back.
package struct CSRFToken: Sendable {
    enum Origin: Sendable {
        case cookie(String)
        case header(String)
        /// A JSON Pointer.
        case json(String)
        /// The name of a form's field in a page.
        case field(String)
    }

    private var origins: [Origin] = []
    /// The path of a request whose answer has the token; nil where the first answer has it.
    var fetch: PartyTemplate?
    /// The header field that sends it.
    var header: String?
    /// The form's field that sends it.
    var field: String?

    var origin: Origin? { origins.first }

    static let form = Form.mapping(
        DocumentSection<CSRFToken> {
            DocumentKey("cookie", .line, "The cookie with the token.") { token, name, _ in
                token.origins.append(.cookie(name))
            }
            DocumentKey("answer-header", .line, "The answer's header field with the token.") { token, name, _ in
                token.origins.append(.header(name.lowercased()))
            }
            DocumentKey("json", .pointer, "The JSON Pointer of the token in an answer.") { token, pointer, _ in
                token.origins.append(.json(pointer))
            }
            DocumentKey("input", .line, "The name of the form's field with the token in a page.") { token, name, _ in
                token.origins.append(.field(name))
            }
            DocumentKey(
                "fetch", \.fetch, PartyTemplate.path,
                "The path of a GET request whose answer has the token; default: an earlier answer has it.")
            DocumentKey(
                "send-header", \.header, HeaderFields.name,
                "The header field that sends it with each request except GET.")
            DocumentKey("send-field", \.field, .line, "The field of each form that sends it.")
        } check: { token, fields in
            guard token.origins.count == 1 else {
                throw fields.owner.error("expected one of cookie, answer-header, json, input: the place of the token")
            }
        }, from: CSRFToken())
}
