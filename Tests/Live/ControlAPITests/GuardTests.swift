import Documents
import Foundation
import HTTPTypes
import Testing
import VirtualAuthenticator

@testable import ControlAPI

/// Access to the control API.
@Suite struct GuardTests {
    @Test(
        "Only the token gives access; WebDriver clients may send it as a password",
        arguments: [
            (nil, "/v1/devices", 401, "token.missing"), ("Bearer wrong", "/v1/devices", 401, "token.wrong"),
            ("Bearer", "/v1/devices", 401, "token.wrong"), ("Digest x", "/v1/devices", 401, "token.wrong"),
            ("Bearer TOKENx", "/v1/devices", 401, "token.wrong"), ("Bearer TOKEN", "/v1/devices", 200, nil),
            ("bearer TOKEN", "/v1/devices", 200, nil), ("Basic TOKEN", "/v1/devices", 401, "token.wrong"),
            ("Basic TOKEN", "/status", 200, nil), ("Bearer TOKEN", "/status", 200, nil),
            ("Basic wrong", "/status", 401, "unknown error"), (nil, "/status", 401, "unknown error"),
            (nil, "/openapi.json", 401, "token.missing"), (nil, "/nowhere", 401, "token.missing"),
        ] as [(String?, String, Int, String?)])
    func requestNeedsToken(credentials: String?, path: String, status: Int, code: String?) async throws {
        try await Control.run { control in
            var fields: [String: String] = [:]
            let token = control.configuration.token.text
            if let credentials {
                let isBasic = credentials.hasPrefix("Basic")
                let text = credentials.replacing("Basic ", with: "").replacing("TOKEN", with: token)
                fields["Authorization"] =
                    isBasic ? "Basic \(Data("touchstone:\(text)".utf8).base64EncodedString())" : text
            }
            let answer = try await control.wire.send("GET", path, fields: fields)
            #expect(answer.status == status)
            let json = try JSONDecoder().decode(JSONValue.self, from: Data(answer.body))
            if let code { #expect((json["error"]?["code"] ?? json["value"]?["error"])?.text == code) }
            #expect((answer.field("WWW-Authenticate") != nil) == (status == 401))
        }
    }

    @Test(
        "A request for another host name is misdirected",
        arguments: [
            ("127.0.0.1:PORT", 200), ("localhost:PORT", 200), ("[::1]:PORT", 200), ("LOCALHOST:PORT", 200),
            ("evil.example:PORT", 421), ("127.0.0.1.nip.io:PORT", 421), ("127.0.0.1", 421), ("127.0.0.1:1", 421),
            ("localhost", 421), ("", 421), ("localhost:PORT@evil.example", 421), ("[::1]evil.example", 421),
            ("localhost:PORT:1", 421), ("localhost:", 421), ("user@localhost:PORT", 421),
        ])
    func foreignHostIsRefused(host: String, status: Int) async throws {
        try await Control.run { control in
            let host = host.replacing("PORT", with: String(control.server.port))
            let answer = try await control.wire.send(
                "GET", "/v1/devices", fields: control.authorization.merging(["Host": host]) { first, _ in first })
            // HTTP/1.1 requires a host.
            #expect(answer.status == status || (host.isEmpty && answer.status == 400))
        }
    }

    @Test(
        "The error for a foreign host names the rule for hosts, whatever its port",
        arguments: ["evil.example", "evil.example:PORT", "evil.example:1", "127.0.0.1.nip.io:PORT", "[::2]:PORT"])
    func foreignHostIsNamedFirst(host: String) async throws {
        try await Control.run { control in
            let host = host.replacing("PORT", with: String(control.server.port))
            let answer = try await control.send("GET", "/v1/devices", fields: ["Host": host])
            #expect(answer.code == "host.unexpected")
            // Not the error for a wrong port, which tells a foreign page where the server is.
            #expect(
                answer.json["error"]?["message"]?.text
                    == "This server answers only to a loopback host name; use localhost.")
        }
    }

    @Test(
        "The error for a missing or wrong port names the server's port",
        arguments: ["localhost", "127.0.0.1:1", "[::1]"])
    func missingPortIsRefused(host: String) async throws {
        try await Control.run { control in
            let answer = try await control.send("GET", "/v1/devices", fields: ["Host": host])
            #expect(answer.code == "host.unexpected")
            #expect(answer.json["error"]?["message"]?.text?.contains("localhost:\(control.server.port)") == true)
        }
    }

    @Test(
        "Every request of a page of another origin is refused",
        arguments: ["GET", "POST", "DELETE", "OPTIONS", "HEAD"],
        ["https://evil.example", "null", "http://127.0.0.1:PORT", "http://localhost"])
    func foreignOriginIsRefused(method: String, origin: String) async throws {
        try await Control.run(configure: { $0.allowedOrigins = ["chrome-extension://abc"] }) { control in
            let origin = origin.replacing("PORT", with: String(control.server.port))
            let fields = control.authorization.merging([
                "Origin": origin, "Access-Control-Request-Method": "POST",
            ]) { first, _ in first }
            for path in ["/v1/devices", "/status", "/nowhere"] {
                let answer = try await control.wire.send(method, path, fields: fields)
                #expect(answer.status == 403)
                #expect(answer.field("Access-Control-Allow-Origin") == nil)
            }
        }
    }

    @Test(
        "A request that another site's page causes without an origin is refused, except a link to the panel",
        arguments: [
            ("GET", "/v1/devices", ["cross-site"], 403), ("GET", "/v1/devices", ["same-site"], 403),
            ("GET", "/v1/devices", ["none"], 200), ("GET", "/v1/devices", ["same-origin"], 200),
            ("GET", "/v1/devices", ["unheard-of"], 403), ("GET", "/v1/devices", [""], 403),
            ("GET", "/v1/devices", ["none, cross-site"], 403), ("GET", "/v1/devices", ["Same-Origin"], 403),
            ("HEAD", "/v1/devices", ["cross-site"], 403), ("OPTIONS", "/v1/devices", ["cross-site"], 403),
            ("DELETE", "/v1/devices/phone", ["cross-site"], 403), ("POST", "/v1/devices", ["same-site"], 403),
            ("GET", "/nowhere", ["cross-site"], 403), ("GET", "/status", ["cross-site"], 403),
            ("GET", "/panel", ["cross-site", "no-cors", "image"], 403),
            ("GET", "/panel", ["cross-site", "navigate", "iframe"], 403),
            ("GET", "/panel", ["cross-site", "navigate", "document"], 200),
            ("GET", "/panel/panel.js", ["cross-site", "no-cors", "script"], 403),
            ("GET", "/panel/panel.js", ["cross-site", "navigate", "document"], 403),
            ("GET", "/v1/devices", ["cross-site", "navigate", "document"], 403),
        ] as [(String, String, [String], Int)])
    func otherSiteIsRefused(method: String, path: String, metadata: [String], status: Int) async throws {
        try await Control.run { control in
            let names = ["Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"]
            let fields = Dictionary(uniqueKeysWithValues: zip(names, metadata))
            let answer = try await control.wire.send(
                method, path, fields: control.authorization.merging(fields) { first, _ in first })
            #expect(answer.status == status)
            guard status == 403, method == "GET", path != "/status" else { return }
            #expect(String(decoding: answer.body, as: UTF8.self).contains("\"site.forbidden\""))
        }
    }

    @Test("A page of an allowed origin is of another site")
    func allowedOriginIsOfAnotherSite() async throws {
        let origin = "https://app.example"
        try await Control.run(configure: { $0.allowedOrigins = [origin] }) { control in
            let fields = ["Origin": origin, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"]
            let answer = try await control.send("GET", "/v1/devices", fields: fields)
            #expect(answer.status == 200)
        }
    }

    @Test("A page of an allowed origin sends a preflight without the token and can then read answers")
    func allowedOriginReadsAnswers() async throws {
        let origin = "chrome-extension://abc"
        try await Control.run(configure: { $0.allowedOrigins = [origin] }) { control in
            let preflight = try await control.wire.send(
                "OPTIONS", "/v1/devices", fields: ["Origin": origin, "Access-Control-Request-Method": "POST"])
            #expect(preflight.status == 204)
            #expect(preflight.field("Access-Control-Allow-Origin") == origin)
            #expect(preflight.field("Access-Control-Allow-Headers")?.contains("Authorization") == true)
            let reading = try await control.send("GET", "/v1/devices", fields: ["Origin": origin])
            #expect(reading.wire.field("Access-Control-Allow-Origin") == origin)
            #expect(reading.wire.field("Vary") == "Origin")
            let refused = try await control.wire.send("GET", "/v1/devices", fields: ["Origin": origin])
            #expect(refused.status == 401)
            #expect(refused.field("Access-Control-Allow-Origin") == origin)
        }
    }

    @Test("A page of an allowed origin can use every endpoint and read every error")
    func allowedOriginUsesEveryEndpoint() async throws {
        let origin = "chrome-extension://abc"
        try await Control.run(configure: { $0.allowedOrigins = [origin] }) { control in
            for operation in control.operations {
                let method = operation.method.rawValue
                let preflight = try await control.wire.send(
                    "OPTIONS", operation.path.replacing("{", with: "").replacing("}", with: ""),
                    fields: ["Origin": origin, "Access-Control-Request-Method": method])
                let allowed = preflight.field("Access-Control-Allow-Methods")?.split(separator: ", ").map(String.init)
                #expect(allowed?.contains(method) == true, "\(method) \(operation.path)")
            }
            for (method, path, status) in [
                ("GET", "/nowhere", 404), ("GET", "/v1/devices/unknown", 404), ("PATCH", "/v1/devices", 405),
                ("GET", "/v1/devices/%ff", 400), ("GET", "/session/x", 405), ("POST", "/v1/devices", 400),
            ] {
                let answer = try await control.wire.send(
                    method, path, fields: control.authorization.merging(["Origin": origin]) { first, _ in first })
                #expect(answer.status == status)
                #expect(answer.field("Access-Control-Allow-Origin") == origin)
            }
        }
    }

    @Test("Without allowed origins no answer has CORS headers")
    func noOriginIsAllowedByDefault() async throws {
        try await Control.run { control in
            let answer = try await control.get("/v1/devices")
            #expect(answer.wire.fields.keys.allSatisfy { !$0.hasPrefix("access-control") })
            let preflight = try await control.wire.send(
                "OPTIONS", "/v1/devices",
                fields: ["Origin": "https://a.example", "Access-Control-Request-Method": "GET"])
            #expect(preflight.status == 403)
        }
    }

    @Test(
        "A chosen token has 16 to 512 characters that need no escaping in a URL",
        arguments: [
            ("0123456789abcdef", true), ("A-Z.a_z~0123456789", true), ("short", false),
            ("has a space in it....", false), ("has:a@colon/in+it....", false),
            (String(repeating: "x", count: 512), true), (String(repeating: "x", count: 513), false),
        ])
    func chosenTokenHasUnreservedCharacters(text: String, isToken: Bool) {
        #expect((AccessToken(text) != nil) == isToken)
    }

    @Test("Two servers draw different tokens of 32 bytes")
    func tokensAreRandom() {
        let (first, second) = (AccessToken(), AccessToken())
        #expect(first.text != second.text)
        #expect(first.text.count == 43)
        let tokens = AccessTokens(first, time: SimulatedClock())
        #expect(tokens.grant(of: first.text) == .everything)
        #expect(tokens.grant(of: second.text) == nil)
        #expect(tokens.grant(of: "") == nil)
    }
}
