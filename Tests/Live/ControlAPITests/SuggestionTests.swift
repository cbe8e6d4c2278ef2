import Documents
import LoopbackHTTP
import Testing
import WebAuthn

@testable import ControlAPI

/// Conditional requests of pages in a browser, until the user picks a passkey.
@Suite(.timeLimit(.minutes(30))) struct SuggestionTests {
    private static let path = PageCarrierTests.path
    private static let list = "/v1/devices/phone/browser-requests"

    private static func conditional(_ body: [String: JSONValue] = [:], title: String = "Sign in") throws -> JSONValue {
        try PageCarrierTests.get(message: ["mediation": "conditional", "title": .text(title)], body: body)
    }

    private static func withPasskey(_ use: @Sendable (Control, String) async throws -> Void) async throws {
        try await PageCarrierTests.withPasskey("pixel-fingerprint", use)
    }

    private static func browser(_ control: Control) async throws -> SocketCaller {
        try await SocketCaller(try await control.send("POST", "/v1/sockets").decode())
    }

    /// The requests that the user sees, as soon as there are so many.
    private static func waiting(_ count: Int, _ control: Control) async throws -> [BrowserRequest] {
        while true {
            let listed: [BrowserRequest] = try await control.get(list).decode()
            if listed.count == count { return listed }
        }
    }

    private static func pick(_ control: Control, _ place: [String: JSONValue] = [:]) async throws -> Control.Answer {
        try await control.post(path + "/pick", .object(place.merging(["waitSeconds": 60]) { given, _ in given }))
    }

    @Test("A request waits for the pick; a refusal tells the user's program why, and leaves the request waiting")
    func pickAfterRefusal() async throws {
        try await Self.withPasskey { control, id in
            let browser = try await Self.browser(control)
            try browser.send(1, "POST", Self.path, Self.conditional(["session": "a"]))
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            let refused = try await Self.pick(control, ["session": "a"])
            #expect(refused.status == 200)
            #expect(refused.json["error"]?["name"] == "NotAllowedError")
            #expect(refused.json["error"]?["deviceReason"] != nil)
            #expect(try await Self.waiting(1, control).first?.title == "Sign in")
            let picked = try await Self.pick(control, ["session": "a"])
            #expect(picked.json["error"] == nil)
            let answer = try #require(try await browser.next())
            #expect(answer.body["value"]?["id"]?.text == id)
            #expect(try await control.get(Self.list).json == [])
        }
    }

    @Test("A pick waits until a page makes its request, and ends without one")
    func pickComesFirst() async throws {
        try await Self.withPasskey { control, id in
            async let early = Self.pick(control, ["session": "a"])
            let browser = try await Self.browser(control)
            let answer = try await browser.ask(1, "POST", Self.path, Self.conditional(["session": "a"]))
            #expect(answer.body["value"]?["id"]?.text == id)
            #expect(try await early.status == 200)
            let none = try await Self.pick(control, ["session": "a", "waitSeconds": 0])
            #expect(none.status == 409)
            #expect(none.code == "conditional.notPending")
        }
    }

    @Test("A pick concerns the newest request of its browser, or of one page")
    func picksHaveAPlace() async throws {
        try await Self.withPasskey { control, _ in
            let browser = try await Self.browser(control)
            let places: [[String: JSONValue]] = [
                ["session": "a", "page": "1"], ["session": "a", "page": "2"], ["session": "b"],
            ]
            for (place, body) in places.enumerated() {
                try browser.send(place, "POST", Self.path, Self.conditional(body))
                _ = try await Self.waiting(place + 1, control)
            }
            for (body, place) in [(["session": "a", "page": "1"], 0), (["session": "a"], 1), (["session": "b"], 2)]
                as [([String: JSONValue], Int)]
            {
                #expect(try await Self.pick(control, body).json["error"] == nil)
                #expect(try await browser.next()?.id == place)
            }
        }
    }

    @Test("The user of the panel picks a passkey, again after a refusal")
    func panelPicks() async throws {
        try await Self.withPasskey { control, id in
            let browser = try await Self.browser(control)
            try browser.send(1, "POST", Self.path, Self.conditional())
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            for _ in 0..<2 {
                let number = try #require(try await Self.waiting(1, control).first).number
                let told = try await control.post("\(Self.list)/\(number)/pick", ["credentialId": .text(id)])
                #expect(told.status == 204)
            }
            #expect(try await browser.next()?.body["value"]?["id"]?.text == id)
        }
    }

    @Test("A user who picks at once does so when the device has a passkey, and when it gets one")
    func autofill() async throws {
        try await Self.withPasskey { control, id in
            let browser = try await Self.browser(control)
            let request = try Self.conditional(["autofill": true])
            #expect(try await browser.ask(1, "POST", Self.path, request).body["value"]?["id"]?.text == id)
            try await control.send("DELETE", "/v1/devices/phone/credentials")
            try browser.send(2, "POST", Self.path, request)
            _ = try await Self.waiting(1, control)
            let made = try await control.post(Self.path, PageCarrierTests.create())
            await control.server.offerSuggestions(on: "phone")
            let answer = try #require(try await browser.next())
            #expect(answer.body["value"]?["id"] == made.json["value"]?["id"])
            // A refusal leaves the request waiting; the page learns nothing.
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            try browser.send(3, "POST", Self.path, request)
            _ = try await Self.waiting(1, control)
        }
    }

    @Test("A request that does not wait is answered at once: with the pick's end, or with nothing")
    func requestsThatDoNotWait() async throws {
        try await Self.withPasskey { control, id in
            let now: [String: JSONValue] = ["waits": false]
            #expect(try await control.post(Self.path, Self.conditional(now)).json == [:])
            let picking = try Self.conditional(["waits": false, "autofill": true])
            #expect(try await control.post(Self.path, picking).json["value"]?["id"]?.text == id)
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["cancel"]])
            #expect(try await control.post(Self.path, picking).json["error"]?["name"] == "NotAllowedError")
            try await control.send("DELETE", "/v1/devices/phone/credentials")
            #expect(try await control.post(Self.path, picking).json == [:])
        }
    }

    @Test("The user sees the oldest 16 requests of a browser; the next one follows when one ends")
    func requestsBeyondSixteen() async throws {
        try await Self.withPasskey { control, _ in
            let browser = try await Self.browser(control)
            for id in 1...18 { try browser.send(id, "POST", Self.path, Self.conditional(["session": "a"])) }
            try browser.send(19, "POST", Self.path, Self.conditional(["session": "b"]))
            let numbers = try await Self.waiting(17, control).map(\.number)
            #expect(numbers == numbers.sorted())
            for id in 1...6 { browser.send("{\"cancel\": \(id)}") }
            _ = try await Self.waiting(13, control)
        }
    }

    @Test(
        "A request that a page may not make has its error at once",
        arguments: [
            ("https://example.com", ["challenge": "AQ", "rpId": "example.org"], "SecurityError"),
            ("https://example.org", [:], "TypeError"), ("https://example.org", ["challenge": "?"], "EncodingError"),
        ] as [(String, JSONValue, String)])
    func wrongRequests(origin: String, options: JSONValue, error: String) async throws {
        try await Self.withPasskey { control, _ in
            let request = PageCarrierTests.request(
                "get", options, message: ["mediation": "conditional", "origin": .text(origin)],
                body: ["origin": .text(origin)])
            let answer = try await control.post(Self.path, request).json
            let list = try await control.get(Self.list).json
            #expect(answer["error"]?["name"]?.text == error)
            #expect(list == [])
        }
    }

    @Test("A request ends with its page, also during the ceremony, and with its device")
    func requestsEnd() async throws {
        try await Control.run { control in
            try await control.device("iphone-face-id", person: "ask")
            let browser = try await Self.browser(control)
            try browser.send(1, "POST", Self.path, PageCarrierTests.create())
            try await control.post("/v1/devices/phone/person/acts", ["acts": ["match"]])
            #expect(try await browser.next()?.body["value"] != nil)
            try browser.send(2, "POST", Self.path, Self.conditional())
            async let picked = Self.pick(control)
            while try await control.get("/v1/devices/phone/person/acts").json["openPrompt"] == nil {}
            browser.send("{\"cancel\": 2}")
            #expect(try await picked.json["error"]?["name"] == "AbortError")
            #expect(try await control.get("/v1/devices/phone/person/acts").json["openPrompt"] == nil)
            try browser.send(3, "POST", Self.path, Self.conditional())
            _ = try await Self.waiting(1, control)
            #expect(try await control.send("DELETE", "/v1/devices/phone").status == 204)
            let ended = try #require(try await browser.next())
            #expect(ended.status == 409)
            #expect(ended.code == "browserRequest.ended")
        }
    }
}
