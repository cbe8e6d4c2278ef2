internal import Documents
internal import HTTPTypes
internal import Hummingbird

/// An endpoint: what it takes, what it answers and what it does, for the router and for the OpenAPI document alike.
struct Operation: Sendable {
    /// An answer that is no error.
    struct Answer: Sendable {
        var status: HTTPResponse.Status = .ok
        let meaning: String
        var content = Content.none
    }

    /// What an answer holds.
    enum Content: Sendable {
        case none
        case json(Schema)
        /// The list as JSON, or server-sent events, whichever the request accepts.
        case events(Schema)
    }

    /// Whose conventions its errors follow.
    enum Dialect: Sendable {
        case api
        case webDriver
    }

    /// A parameter of the path, of the query, or of the header.
    struct Parameter: Sendable {
        let name: String
        let schema: Schema
        let meaning: String
        var isHeader = false
    }

    let method: HTTPRequest.Method
    /// With its parameters in braces, as OpenAPI writes it.
    let path: String
    /// What generators of clients call it.
    let name: String
    let summary: String
    let tag: String
    var dialect = Dialect.api
    var parameters: [Parameter] = []
    var body: Schema?
    let answer: Answer
    /// The statuses of its errors, beyond those that any request may meet.
    var errors: [Int] = []
    /// Whether it may wait for somebody; it then ends with its connection, and with the server.
    var isPatient = false
    let perform: @Sendable (Call) async throws -> Response

    /// The parameters in the path.
    var pathParameters: [Parameter] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { Self.pathParameter($0.dropFirst().dropLast()) }
    }

    /// A parameter of that name, which means the same in every path.
    private static func pathParameter(_ name: Substring) -> Parameter {
        let (schema, meaning): (Schema, String) =
            switch name {
            case "device": (DeviceOrder.nameSchema, "A device's name.")
            case "account": (DeviceOrder.nameSchema, "An account's name.")
            case "snapshot": (DeviceOrder.nameSchema, "A snapshot's name.")
            case "credentialId": (.pattern("[A-Za-z0-9_-]{1,2000}", 1...2000), "A credential's ID, as base64url.")
            default: (.string(1...2000), "As a WebDriver command answered it.")
            }
        return Parameter(name: String(name), schema: schema, meaning: meaning)
    }
}

/// One request to an ``Operation``, held against what the operation takes.
struct Call: Sendable {
    let path: [String: String]
    let query: [String: JSONValue]
    let headers: HTTPFields
    /// Null where the operation takes no body.
    let body: JSONValue

    /// A parameter of the path.
    func parameter(_ name: String) -> String { path[name] ?? "" }
}
