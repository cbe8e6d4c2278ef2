internal import DeviceHost
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import Providers

/// An endpoint: its parameters, its answer and its action, for the router and the OpenAPI document.
struct Operation: Sendable {
    struct Answer: Sendable {
        var status: HTTPResponse.Status = .ok
        let meaning: String
        var content = Content.none
    }

    enum Content: Sendable {
        case none
        case json(Schema)
        /// A list as JSON, or server-sent events, as the request's `Accept` selects.
        case events(Schema)
    }

    /// The format of errors.
    enum Dialect: Sendable {
        case api
        case webDriver
    }

    /// A group of operations in the document.
    enum Tag: String, CaseIterable {
        case devices, apps, people, transfers, credentials, ceremonies, events, server, library, panel, sockets
        case webDriver = "webdriver"

        var meaning: String {
            switch self {
            case .devices: "Devices, their state, and acts on them"
            case .apps: "The reference app on a device"
            case .people: "The user at a device"
            case .transfers: "Several devices: shared and synced passkeys, replacing a device"
            case .credentials: "Credentials stored on a device"
            case .ceremonies: "navigator.credentials.create() and get() with a device"
            case .events: "Events of devices"
            case .server: "The relying party of `touchstone serve --control`"
            case .library: "Available profiles and faults"
            case .panel: "The device panel, a page of this server"
            case .sockets:
                """
                WebSockets that carry requests. A message is `{"id", "method", "path"}`, a line feed and the body; its \
                answer is `{"id", "status"}`, a line feed and the body. `{"cancel": ID}` ends a request.
                """
            case .webDriver: "W3C WebDriver with its virtual authenticators (WebAuthn §11)"
            }
        }
    }

    /// A parameter in the path, the query or a header.
    struct Parameter: Sendable {
        let name: String
        let schema: Schema
        let meaning: String
        var isHeader = false
    }

    let method: HTTPRequest.Method
    /// The path, with its parameters in braces as in OpenAPI.
    let path: String
    /// The operation's ID, which client generators use as a name.
    let name: String
    let summary: String
    let tag: Tag
    var dialect = Dialect.api
    var parameters: [Parameter] = []
    var body: Schema?
    /// The largest body, in bytes.
    var bodyLimit = JSONBody.limit
    let answer: Answer
    /// The statuses of its errors, beside those of every request.
    var errors: [Int] = []
    /// Whether it may wait for the user; it then ends with its connection and with the server.
    var mayWaitForUser = false
    let perform: @Sendable (Call) async throws -> Response

    /// The operation with another limit for its body, in bytes.
    func taking(bodyOf limit: Int) -> Operation {
        var operation = self
        operation.bodyLimit = limit
        return operation
    }

    var pathParameters: [Parameter] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { Self.pathParameter($0.dropFirst().dropLast()) }
    }

    /// The parameter of a name; a name means the same in every path.
    private static func pathParameter(_ name: Substring) -> Parameter {
        let (schema, meaning): (Schema, String) =
            switch name {
            case "device": (DeviceName.schema, "A device's name.")
            case "account": (DeviceName.schema, "An account's name.")
            case "snapshot": (DeviceName.schema, "A snapshot's name.")
            case "service":
                (.string(.init(length: 1...100, choices: ServiceName.allCases.map(\.rawValue))), "A service's name.")
            case "request": (.integer(1...Int.max), "The number of a conditional request.")
            case "credentialId": (.credentialID, "A credential's ID, as base64url.")
            default: (.string(1...2000), "The ID from a WebDriver command's answer.")
            }
        return Parameter(name: String(name), schema: schema, meaning: meaning)
    }
}

/// A checked request to an ``Operation``.
struct Call: Sendable {
    let path: [String: String]
    let query: [String: JSONValue]
    /// The server's host and port, as the caller names them.
    let authority: String?
    let headers: HTTPFields
    /// The body; null for an operation without one.
    let body: JSONValue

    func parameter(_ name: String) -> String { path[name] ?? "" }
}
