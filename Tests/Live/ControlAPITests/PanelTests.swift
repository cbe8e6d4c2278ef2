import Causes
import Documents
import Foundation
import TestSupport
import Testing
import VirtualAuthenticator

@testable import ControlAPI

/// Access to the device panel.
@Suite(.timeLimit(.minutes(30))) struct PanelTests {
    /// The secret in an address of the panel.
    private static func secret(_ address: String) throws -> String {
        String(try #require(address.split(separator: "#").last))
    }

    private static func own(_ control: Control) -> String { "http://127.0.0.1:\(control.server.port)" }

    /// Sends a request as a page does.
    private static func send(
        _ control: Control, _ method: String, _ path: String, token: String?, origin: String? = nil, host: String? = nil
    ) async throws -> (status: Int, json: JSONValue) {
        var fields: [String: String] = [:]
        fields["Authorization"] = token.map { "Bearer \($0)" }
        fields["Origin"] = origin
        fields["Host"] = host
        let answer = try await control.wire.send(method, path, fields: fields)
        return (answer.status, try JSONDecoder().decode(JSONValue.self, from: Data(answer.body)))
    }

    @Test("The page and its files load without a token, from this server only, with a policy against everything else")
    func filesAreServed() async throws {
        try await Control.run { control in
            for file in PanelFiles.allCases {
                let answer = try await control.wire.send("GET", file.rawValue)
                #expect(answer.status == 200)
                #expect(answer.field("Cache-Control") == "no-store")
                let policy = try #require(answer.field("Content-Security-Policy"))
                for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
                    #expect(policy.contains(part))
                }
                let text = String(decoding: answer.body, as: UTF8.self)
                #expect(!text.contains(control.configuration.token.text))
                #expect(!text.contains("://") || text.contains("http://www.w3.org/2000/svg"), "\(file.rawValue)")
                let foreign = try await control.wire.send(
                    "GET", file.rawValue, fields: ["Origin": "https://evil.example"])
                #expect(foreign.status == 403)
                let rebound = try await control.wire.send(
                    "GET", file.rawValue, fields: ["Host": "evil.example:\(control.server.port)"])
                #expect(rebound.status == 421)
            }
            let unknown = try await control.wire.send("GET", "/panel/unknown.js")
            #expect(unknown.status == 401)
        }
    }

    @Test("The secret of the address opens the panel once, for a token that permits every request")
    func secretIsExchangedOnce() async throws {
        try await Control.run { control in
            let secret = try Self.secret(control.server.panelAddress())
            let origin = Self.own(control)
            let opened = try await Self.send(control, "POST", PanelPaths.sessions, token: secret, origin: origin)
            #expect(opened.status == 200)
            let token = try #require(opened.json["token"]?.text)
            #expect(token != secret && token != control.configuration.token.text)
            #expect(try await Self.send(control, "GET", "/v1/devices", token: token).status == 200)
            #expect(try await Self.send(control, "POST", PanelPaths.links, token: token, origin: origin).status == 200)

            let reused = try await Self.send(control, "POST", PanelPaths.sessions, token: secret)
            #expect(reused.status == 401)
            #expect(reused.json["error"]?["code"]?.text == "token.wrong")
            let reloaded = try await Self.send(control, "POST", PanelPaths.sessions, token: secret, origin: origin)
            #expect(reloaded.status == 401)
        }
    }

    @Test("A missing or wrong secret opens nothing, and a secret permits nothing else")
    func wrongSecretIsRefused() async throws {
        try await Control.run { control in
            let secret = try Self.secret(control.server.panelAddress())
            for (token, status) in [(nil, 401), ("", 401), ("wrong", 401), (secret + "x", 401)] as [(String?, Int)] {
                #expect(try await Self.send(control, "POST", PanelPaths.sessions, token: token).status == status)
            }
            let limited = try await Self.send(control, "GET", "/v1/devices", token: secret)
            #expect(limited.status == 403)
            #expect(limited.json["error"]?["code"]?.text == "token.limited")
            // The server's own token does not open an address.
            let main = try await Self.send(
                control, "POST", PanelPaths.sessions, token: control.configuration.token.text)
            #expect(main.status == 403)
            #expect(main.json["error"]?["code"]?.text == "panel.linkNeeded")
        }
    }

    @Test("Pages of other origins and hosts cannot use the panel's secret or token")
    func foreignPagesAreRefused() async throws {
        try await Control.run { control in
            let port = control.server.port
            let secret = try Self.secret(control.server.panelAddress())
            for origin in ["https://evil.example", "null", "http://localhost:\(port)", "http://127.0.0.1"] {
                let answer = try await Self.send(control, "POST", PanelPaths.sessions, token: secret, origin: origin)
                #expect(answer.status == 403)
                #expect(answer.json["error"]?["code"]?.text == "origin.forbidden")
            }
            let host = try await Self.send(
                control, "POST", PanelPaths.sessions, token: secret, host: "evil.example:\(port)")
            #expect(host.status == 421)
            // None of these has used the secret up.
            let opened = try await Self.send(
                control, "POST", PanelPaths.sessions, token: secret, origin: Self.own(control))
            let token = try #require(opened.json["token"]?.text)
            let foreign = try await Self.send(
                control, "GET", "/v1/devices", token: token, origin: "https://evil.example")
            #expect(foreign.status == 403)
        }
    }

    @Test("An address ends after ten minutes; a program makes another one")
    func addressEnds() async throws {
        let clock = SimulatedClock()
        try await Control.run(configure: { $0.clock = clock }) { control in
            let old = try Self.secret(control.server.panelAddress())
            clock.advance(by: AccessTokens.linkLifetime)
            #expect(try await Self.send(control, "POST", PanelPaths.sessions, token: old).status == 401)
            let link = try await control.send("POST", PanelPaths.links)
            #expect(link.json["lifetimeSeconds"] == 600)
            let path = try #require(link.json["path"]?.text)
            #expect(path.hasPrefix("/panel#"))
            let new = try await Self.send(control, "POST", PanelPaths.sessions, token: try Self.secret(path))
            #expect(new.status == 200)
            // An opened panel stays open.
            clock.advance(by: .seconds(86_400))
            let token = try #require(new.json["token"]?.text)
            #expect(try await Self.send(control, "GET", "/v1/devices", token: token).status == 200)
        }
    }

    @Test("The token of a browser's extension permits pages' requests with its device, from its origin only")
    func ceremonyTokenIsLimited() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.device("iphone-face-id", "phone-2")
            let origin = "chrome-extension://abc"
            let token = control.server.makePageToken(device: "phone", origin: origin).text
            func status(_ method: String, _ path: String, from origin: String? = "chrome-extension://abc") async throws
                -> Int
            {
                try await Self.send(control, method, path, token: token, origin: origin).status
            }
            for path in ["/v1/devices/phone/page-requests", "/v1/devices/phone/page-requests/pick"] {
                // The guard lets the request pass; its body is not right.
                #expect(try await status("POST", path) == 400)
                #expect(try await status("POST", path, from: nil) == 400)
                #expect(try await status("POST", path, from: "chrome-extension://other") == 403)
                #expect(try await status("POST", path, from: Self.own(control)) == 403)
            }
            #expect(try await status("POST", "/v1/sockets") == 201)
            for (method, path) in [
                ("GET", "/v1/devices"), ("GET", "/v1/devices/phone"), ("DELETE", "/v1/devices/phone"),
                ("GET", "/v1/devices/phone/credentials"), ("POST", "/v1/devices/phone/ceremonies/get"),
                ("POST", "/v1/devices/phone/signals/unknown-credential"), ("GET", "/v1/profiles"),
                ("POST", "/v1/devices/phone/browser-requests"),
                ("GET", "/v1/events"),
                ("POST", "/v1/devices/phone/acts"), ("POST", "/v1/devices/phone/person/acts"),
                ("POST", "/v1/panel/links"), ("GET", "/v1/devices/phone/browser-requests"),
                ("POST", "/v1/devices/phone/browser-requests/1/pick"),
                ("POST", "/v1/devices/phone-2/page-requests"),
                ("GET", "/v1/devices/phone-2/ceremonies/conditional"), ("GET", "/openapi.json"),
            ] { #expect(try await status(method, path) == 403, "\(method) \(path)") }
        }
    }

    @Test("The ceremonies of a device are listed newest first, with their decoded responses and their errors")
    func ceremoniesAreDecoded() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.device("iphone-face-id", "other")
            let devices = "/v1/devices/phone"
            let created = try await control.post("\(devices)/ceremonies/create", Options.create())
            try await control.post("\(devices)/person/acts", ["acts": ["cancel"]])
            try await control.post("\(devices)/ceremonies/get", Options.get())
            let list = try await control.get("\(devices)/ceremonies").decode([CeremonyRecord].self)
            #expect(list.map(\.kind) == [.get, .create])
            #expect(list[0].error?.name == "NotAllowedError")
            #expect(list[0].authenticator.isEmpty)
            #expect(list[1].error == nil)
            #expect(list[1].credentialId == created.json["credential"]?["id"]?.text)
            #expect(list[1].rpId == "example.org" && list[1].origin == "https://example.org")
            #expect(list[1].userName == "user-AQID")
            #expect(list[1].clientData?.contains("webauthn.create") == true)
            #expect(list[1].authenticator.contains { $0.contains("fmt: none") })
            #expect(try await control.get("/v1/devices/other/ceremonies").json == [])
        }
    }

    @Test("An open prompt says which acts answer it, and which request with which account asks")
    func promptIsDescribed() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            func prompt() async throws -> UserState.Prompt {
                while true {
                    let state: UserState = try await control.get("/v1/devices/phone/person/acts").decode()
                    if let prompt = state.openPrompt { return prompt }
                }
            }
            async let creating = control.post("/v1/devices/phone/ceremonies/create", Options.create())
            let create = try await prompt()
            #expect(create.answers.contains("match") && !create.answers.contains("passcode"))
            #expect(create.accounts.isEmpty)
            #expect(create.request?.kind == .create && create.request?.userName == "user-AQID")
            #expect(create.request?.origin == "https://example.org" && create.request?.accounts == [])
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["match"]])
            _ = try await creating
            async let getting = control.post("/v1/devices/phone/ceremonies/get", Options.get())
            let get = try await prompt()
            #expect(get.request?.kind == .get && get.request?.accounts == ["user-AQID"])
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["match"]])
            _ = try await getting
            // An app's prompt has no request.
            async let verifying = control.post("/v1/devices/phone/acts", ["verb": "verify"])
            #expect(try await prompt().request == nil)
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["match"]])
            _ = try await verifying
        }
    }

    @Test(
        "A ceremony keeps its options, its accounts and the user's acts; acts on the device keep their place between ceremonies"
    )
    func whatHappenedIsKept() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            try await control.device("iphone-face-id", "other")
            let devices = "/v1/devices/phone"
            try await control.post("\(devices)/acts", ["verb": "enrol", "arguments": ["template": "second"]])
            let created = try await control.post("\(devices)/ceremonies/create", Options.create())
            let id = try #require(created.json["credential"]?["id"]?.text)
            try await control.post("\(devices)/clock", ["advance": "5 min"])
            try await control.post("\(devices)/person/acts", ["acts": ["no-match x 2", "passcode"]])
            try await control.post("\(devices)/ceremonies/get", Options.get(allow: [id]))
            try await control.post("\(devices)/acts", ["verb": "lock"])
            try await control.post("\(devices)/ceremonies/get", Options.get())
            let list = try await control.get("\(devices)/ceremonies").decode([CeremonyRecord].self)
            #expect(list.map(\.acts) == [[], ["no-match", "no-match", "passcode"], ["match"]])
            #expect(list.map(\.accounts) == [["user-AQID"], ["user-AQID"], []])
            #expect(list[0].error?.obstacle == .deviceLocked)
            #expect(list[1].error?.obstacle == nil)
            #expect(try JSONValue(parsing: Array(try #require(list[2].options).utf8)) == Options.create()["options"])
            let acts = try await control.get("\(devices)/acts").decode([ActRecord].self)
            #expect(acts.map(\.verb) == ["enrol", "wait", "lock"])
            #expect(acts.map(\.arguments) == [["template": "second"], ["for": "5 min"], [:]])
            #expect(acts.map(\.afterCeremony) == [0, list[2].id, list[1].id])
            #expect(acts.allSatisfy { $0.cause == nil && !$0.isDuringCeremony && $0.person.isEmpty })
            // An app's prompt is answered; a refused act has its cause.
            try await control.post("\(devices)/person/acts", ["acts": ["passcode"]])
            try await control.post("\(devices)/acts", ["verb": "verify"])
            let refused = try #require(try await control.get("\(devices)/acts").decode([ActRecord].self).last)
            #expect(refused.verb == "verify" && refused.cause != nil)
            #expect(try await control.get("/v1/devices/other/acts").json == [])
        }
    }

    @Test("A page's ceremony has the error that the page got, also where its browser refuses the request")
    func pageErrorsAreKept() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id")
            let options = Options.get()["options"] ?? [:]
            func ask(_ origin: JSONValue, permissions: JSONValue) async throws {
                let message: JSONValue = [
                    "kind": "get", "mediation": "optional", "options": options, "origin": "https://example.org",
                    "ancestors": [], "permissions": permissions,
                ]
                try await control.post("/v1/devices/phone/page-requests", ["message": message, "origin": origin])
            }
            try await ask("https://example.org", permissions: ["get"])
            try await ask("https://example.org", permissions: [])
            let list = try await control.get("/v1/devices/phone/ceremonies").decode([CeremonyRecord].self)
            #expect(list.map(\.pageError) == ["NotAllowedError", "NotAllowedError"])
            #expect(list[0].error?.cause == "page.refused")
            #expect(list[0].error?.detail?.contains("Permissions Policy") == true)
            #expect(list[1].error?.reason == "ctap.noCredentials")
            #expect(list.map(\.rpId) == ["example.org", "example.org"])
        }
    }

    @Test("The list of devices says which one waits for its user")
    func listShowsWaitingDevices() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            #expect(try await control.get("/v1/devices").json.array?.first?["waitingFor"] == nil)
            async let ceremony = control.post("/v1/devices/phone/ceremonies/create", Options.create())
            while try await control.get("/v1/devices/phone/person/acts").json["openPrompt"] == nil {}
            #expect(try await control.get("/v1/devices").json.array?.first?["waitingFor"] == "face")
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["match"]])
            #expect(try await ceremony.json["credential"] != nil)
        }
    }
}

/// The device panel in a browser.
@Suite("The device panel in Chromium", .timeLimit(.minutes(30)))
struct PanelPageTests {
    /// The schemes and widths; in `make test` each once.
    private static let places = Ring.sample([["light-390", "dark-1280"], ["light-1280", "dark-390"]], 1).flatMap(\.self)

    @Test("A user answers waiting ceremonies by mouse and by key until lockout; axe finds nothing in light and dark")
    func panelIsUsed() async throws {
        try await AppTests.run { control, _ in
            _ = try await Script.run(
                "panel_page", in: [Bundle.module.bundleURL.appending(path: "Scripts")],
                [
                    "server": .text(control.server.baseURL), "token": .text(control.configuration.token.text),
                    "places": .texts(Self.places),
                    "pictures": ProcessInfo.processInfo.environment["TEST_PICTURES"].map(JSON.text) ?? .null,
                ])
        }
    }
}
