import HTTPTypes
import Testing
import WebDriver

@Suite struct ProxiedCommandTests {
    @Test(
        "Only sessions, virtual authenticators and devices are this server's",
        arguments: [
            ("POST", "/session", ProxiedCommand.newSession),
            ("GET", "/session", .other(session: nil)),
            ("DELETE", "/session/a", .deleteSession("a")),
            ("GET", "/session/a", .other(session: "a")),
            ("DELETE", "/session/a/window", .other(session: "a")),
            ("POST", "/session/a/goog/cdp/execute", .devTools(session: "a")),
            ("GET", "/status", .other(session: nil)),
            ("GET", "/sessions", .other(session: nil)),
            (
                "POST", "/session/a/webauthn/authenticator",
                .virtualAuthenticator(session: "a", path: "/webauthn/authenticator")
            ),
            (
                "DELETE", "/session/a/webauthn/authenticator/b/credentials/c",
                .virtualAuthenticator(session: "a", path: "/webauthn/authenticator/b/credentials/c")
            ),
            ("GET", "/session/a/touchstone", .device(session: "a", path: "")),
            ("GET", "/session/a/touchstone/events?limit=5", .device(session: "a", path: "/events?limit=5")),
            ("POST", "/session/a/touchstone/pick", .pick(session: "a")),
            ("GET", "/session/a/touchstone/pick", .device(session: "a", path: "/pick")),
            ("GET", "/session/a/touchstones", .other(session: "a")),
            ("GET", "/shutdown", .shutdown), ("POST", "/shutdown", .shutdown), ("GET", "/shutdown/", .shutdown),
            ("GET", "//shutdown?x=1", .shutdown), ("GET", "/%73hutdown", .shutdown), ("GET", "/Shutdown", .shutdown),
            ("GET", "/session/../shutdown", .shutdown), ("GET", "http://localhost/shutdown", .shutdown),
            ("GET", "/wd/hub/shutdown", .shutdown), ("GET", "/session/shutdown", .other(session: "shutdown")),
        ])
    func commands(method: String, target: String, command: ProxiedCommand) throws {
        #expect(ProxiedCommand(try #require(HTTPRequest.Method(rawValue: method)), target) == command)
    }

    @Test(
        "A driver's address is on this computer",
        arguments: [
            ("http://localhost:9515", "http://localhost:9515"),
            ("http://127.0.0.1:4444/wd/hub/", "http://localhost:4444/wd/hub"),
            ("https://localhost:9515", nil), ("http://example.org:9515", nil), ("http://localhost", nil),
            ("http://user@localhost:1", nil), ("localhost:9515", nil),
        ])
    func addresses(text: String, address: String?) {
        #expect(DriverAddress(text)?.description == address)
    }
}
