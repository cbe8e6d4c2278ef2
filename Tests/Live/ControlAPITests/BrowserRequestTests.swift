import Documents
import LoopbackHTTP
import Testing
import WebAuthn

@testable import ControlAPI

/// The conditional requests that a browser keeps for its pages.
@Suite(.timeLimit(.minutes(30))) struct BrowserRequestTests {
    private static let path = "/v1/devices/phone/browser-requests"

    /// Runs with two passkeys of `https://example.org` and the ID of each.
    private static func withPasskeys(_ use: @Sendable (Control, [String]) async throws -> Void) async throws {
        try await Control.run { control in
            try await control.device("pixel-fingerprint")
            var ids: [String] = []
            for user in ["AQID", "BAUG"] {
                let made = try await control.post("/v1/devices/phone/ceremonies/create", Options.create(user: user))
                ids.append(try #require(made.json["credential"]?["id"]?.text))
            }
            try await use(control, ids)
        }
    }

    /// The waiting requests, as soon as there are so many.
    private static func waiting(_ count: Int, _ control: Control) async throws -> [BrowserRequest] {
        while true {
            let listed: [BrowserRequest] = try await control.get(path).decode()
            if listed.count == count { return listed }
        }
    }

    /// The answer to a ceremony with a passkey that the user has picked.
    private static func get(_ id: String, _ request: JSONValue, _ control: Control) async throws -> JSONValue {
        var request = try #require(request.object)
        request["credentialId"] = .text(id)
        return try await control.post("/v1/devices/phone/ceremonies/get", .object(request)).json
    }

    private static func caller(_ control: Control) async throws -> SocketCaller {
        try await SocketCaller(try await control.send("POST", "/v1/sockets").decode())
    }

    @Test("A request waits until the user picks a passkey, which the browser's ceremony uses")
    func userPicks() async throws {
        try await Self.withPasskeys { control, ids in
            #expect(try await control.get(Self.path).json == [])
            let browser = try await Self.caller(control)
            for id in ids {
                try browser.send(1, "POST", Self.path, Options.get())
                let request = try #require(try await Self.waiting(1, control).first)
                #expect(request.origin == "https://example.org")
                #expect(request.rpId == "example.org")
                #expect(request.passkeys.map { Base64URL.encode($0.credentialId.bytes) } == ids)
                #expect(request.passkeys.map(\.userName) == ["user-AQID", "user-BAUG"])
                let told = try await control.post("\(Self.path)/\(request.number)/pick", ["credentialId": .text(id)])
                #expect(told.status == 204)
                let picked = try #require(try await browser.next())
                #expect(picked.status == 200)
                #expect(picked.body["credentialId"]?.text == id)
                #expect(try await control.get(Self.path).json == [])
                for allowed in [[], ids, ids.reversed()] {
                    let signedIn = try await Self.get(id, Options.get(allow: allowed), control)
                    #expect(signedIn["credential"]?["id"]?.text == id)
                    #expect(signedIn["credential"]?["response"]?["userHandle"]?.text != nil)
                }
            }
        }
    }

    @Test("A request suggests the passkeys of its relying party that it accepts, and only these can be picked")
    func otherPasskeysAreNotSuggested() async throws {
        try await Self.withPasskeys { control, ids in
            let browser = try await Self.caller(control)
            try browser.send(1, "POST", Self.path, Options.get(allow: [ids[1]]))
            _ = try await Self.waiting(1, control)
            let other: JSONValue = ["origin": "https://example.com", "options": ["challenge": Options.challenge]]
            try browser.send(2, "POST", Self.path, other)
            let listed = try await Self.waiting(2, control)
            #expect(listed.map { $0.passkeys.map { Base64URL.encode($0.credentialId.bytes) } } == [[ids[1]], []])
            #expect(listed.map(\.rpId) == ["example.org", "example.com"])
            for (number, id) in [(listed[0].number, ids[0]), (listed[1].number, ids[1])] {
                let refused = try await control.post("\(Self.path)/\(number)/pick", ["credentialId": .text(id)])
                #expect(refused.status == 422)
                #expect(refused.code == "passkey.notSuggested")
            }
            let unknown = try await control.post("\(Self.path)/99/pick", ["credentialId": .text(ids[1])])
            #expect(unknown.status == 404)
            #expect(unknown.code == "browserRequest.notFound")
            #expect(try await control.post("\(Self.path)/none/pick", ["credentialId": "AQ"]).status == 400)
            let malformed = try await control.post("\(Self.path)/1/pick", ["credentialId": "A"])
            #expect(malformed.code == "base64url.malformed")
        }
    }

    @Test("A ceremony with a picked passkey that is deleted, or that the page does not accept, uses no other one")
    func absentPasskeyIsNotReplaced() async throws {
        try await Self.withPasskeys { control, ids in
            let refused = try await Self.get(ids[0], Options.get(allow: [ids[1]]), control)
            #expect(refused["error"]?["name"] == "NotAllowedError")
            #expect(try await control.send("DELETE", "/v1/devices/phone/credentials/\(ids[0])").status == 204)
            let absent = try await Self.get(ids[0], Options.get(), control)
            #expect(absent["error"]?["name"] == "NotAllowedError")
            #expect(try await Self.get("A", Options.get(), control)["error"]?["code"] == "base64url.malformed")
        }
    }

    @Test(
        "Options that a ceremony refuses have the page's error at once",
        arguments: [
            ("https://example.com", ["challenge": "AQ", "rpId": "example.org"], "SecurityError"),
            ("https://example.org", [:], "TypeError"), ("https://example.org", ["challenge": "?"], "EncodingError"),
            ("https://example.org", ["challenge": "AQ", "rpId": 5], "TypeError"),
            ("https://example.org", ["challenge": "AQ", "allowCredentials": "x"], "TypeError"),
        ] as [(String, JSONValue, String)])
    func wrongOptionsAreRefused(origin: String, options: JSONValue, name: String) async throws {
        try await Self.withPasskeys { control, _ in
            let answer = try await control.post(Self.path, ["origin": .text(origin), "options": options])
            #expect(answer.status == 200)
            #expect(answer.json["error"]?["name"]?.text == name)
            #expect(answer.json["credentialId"] == nil)
            let malformed = try await control.post(Self.path, ["origin": "example", "options": [:]])
            #expect(malformed.code == "origin.invalid")
        }
    }

    @Test("A passkey that a device finds only by its ID, or only with user verification, is not suggested otherwise")
    func hiddenPasskeysAreNotSuggested() async throws {
        try await Control.run { control in
            try await control.device("feitian-biopass")
            let browser = try await Self.caller(control)
            for (number, residentKey) in ["discouraged", "required"].enumerated() {
                var request = try #require(Options.create(residentKey: residentKey).object)
                var options = try #require(request["options"]?.object)
                options["extensions"] = ["credentialProtectionPolicy": "userVerificationOptionalWithCredentialIDList"]
                request["options"] = .object(options)
                let made = try await control.post("/v1/devices/phone/ceremonies/create", .object(request))
                let id = try #require(made.json["credential"]?["id"]?.text)
                let isFound = residentKey == "required"
                for (uv, isSuggested) in [("required", isFound), ("discouraged", false)] {
                    let signedIn = try await Self.get(id, Options.get(uv: uv), control)
                    #expect((signedIn["credential"] != nil) == isSuggested)
                    try browser.send(number, "POST", Self.path, Options.get(uv: uv))
                    let waiting = try await Self.waiting(1, control)
                    #expect(waiting.first?.passkeys.count == (isSuggested ? 1 : 0))
                    browser.send("{\"cancel\": \(number)}")
                    _ = try await Self.waiting(0, control)
                }
            }
        }
    }

    @Test("A request is withdrawn by its page, by the end of the browser, and by the end of the device")
    func requestsAreWithdrawn() async throws {
        try await Self.withPasskeys { control, _ in
            let browser = try await Self.caller(control)
            for id in 1...3 { try browser.send(id, "POST", Self.path, Options.get()) }
            let other = try await Self.caller(control)
            try other.send(1, "POST", Self.path, Options.get())
            _ = try await Self.waiting(4, control)
            browser.send("{\"cancel\": 2}")
            _ = try await Self.waiting(3, control)
            browser.socket.close()
            _ = try await Self.waiting(1, control)
            #expect(try await control.send("DELETE", "/v1/devices/phone").status == 204)
            let ended = try #require(try await other.next())
            #expect(ended.status == 409)
            #expect(ended.code == "browserRequest.ended")
        }
    }

    @Test("A device has at most 100 requests")
    func requestsAreBounded() async throws {
        try await Self.withPasskeys { control, _ in
            let browsers = try await [Self.caller(control), Self.caller(control)]
            for id in 1...50 { for browser in browsers { try browser.send(id, "POST", Self.path, Options.get()) } }
            _ = try await Self.waiting(100, control)
            let refused = try await browsers[0].ask(51, "POST", Self.path, Options.get())
            #expect(refused.status == 409)
            #expect(refused.code == "browserRequest.tooMany")
        }
    }
}
