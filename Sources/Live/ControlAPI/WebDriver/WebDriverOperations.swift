internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

/// The commands of W3C WebDriver for tests of passkeys: sessions, and the virtual authenticators of WebAuthn L3 §11.
struct WebDriverOperations: Sendable {
    let fleet: Fleet
    let configuration: ControlConfiguration
    let sessions = WebDriverSessions()

    var all: [Operation] { sessionCommands + authenticatorCommands + credentialCommands }

    var isStrict: Bool { configuration.isStrict }

    /// The answer of a command without a result: null, or an empty object as in ChromeDriver.
    var done: Response { get throws { try Self.value(isStrict ? .null : [:]) } }

    var doneSchema: Schema { isStrict ? .null : .object() }

    static func value(_ value: JSONValue) throws -> Response { try Reply.json(["value": value]) }

    func command(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, _ summary: String, body: Schema? = nil,
        value: Schema, errors: [Int] = [], _ perform: @escaping @Sendable (Call) async throws -> Response
    ) -> Operation {
        Operation(
            method: method, path: path, name: "webDriver" + name, summary: summary, tag: .webDriver,
            dialect: .webDriver, body: body,
            answer: .init(meaning: "Done", content: .json(.object(.required("value", value)))), errors: errors,
            perform: perform)
    }

    private var sessionCommands: [Operation] {
        [
            command(
                .get, "/status", "Status", "Report whether sessions can be opened",
                value: .object(.required("ready", .boolean), .required("message", .string()))
            ) { _ in try Self.value(["ready": true, "message": "Touchstone accepts sessions"]) },
            command(
                .post, "/session", "NewSession", "Open a session", body: Capabilities.schema,
                value: .object(
                    .required("sessionId", .string()),
                    .required("capabilities", .anyObject)),
                errors: [500]
            ) { call in
                try Capabilities.match(call.body)
                let id = Self.newID("session")
                try await sessions.open(id)
                return try Self.value(["sessionId": .text(id), "capabilities": .object(Capabilities.own)])
            },
            command(
                .delete, "/session/{session}", "DeleteSession", "End a session and its virtual authenticators",
                value: .null
            ) { call in
                for authenticator in try await sessions.close(call.parameter("session")) {
                    try? await fleet.stop(authenticator)
                }
                return try Self.value(.null)
            },
        ]
    }

    /// A unique name of at most 48 unreserved characters (WebAuthn L3 §11.3).
    static func newID(_ kind: String) -> String { "\(kind)-\(Hex.encode(SystemRandomSource().bytes(12)))" }
}
