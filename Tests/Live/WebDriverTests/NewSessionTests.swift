import Documents
import LoopbackHTTP
import Testing
import WebDriver

@Suite struct NewSessionTests {
    private func requested(_ text: String) throws -> NewSession? {
        try NewSession(JSONValue(parsing: Array(text.utf8)))
    }

    @Test(
        "The device is taken out of every set of capabilities, and the rest stays",
        arguments: [
            (
                #"{"capabilities": {"alwaysMatch": {"browserName": "chrome", "touchstone:device": "usb"}}}"#,
                #"{"capabilities": {"alwaysMatch": {"browserName": "chrome"}}}"#
            ),
            (
                #"{"capabilities": {"firstMatch": [{"touchstone:device": "usb", "a:b": 1.5}, {"touchstone:device": "usb"}]}}"#,
                #"{"capabilities": {"firstMatch": [{"a:b": 1.5}, {}]}}"#
            ),
            (
                #"{"capabilities": {"firstMatch": [{}], "alwaysMatch": {"touchstone:device": "usb"}}, "other": null}"#,
                #"{"capabilities": {"firstMatch": [{}], "alwaysMatch": {}}, "other": null}"#
            ),
        ])
    func deviceIsTakenOut(asked: String, passed: String) throws {
        let requested = try #require(try requested(asked))
        #expect(requested.device == "usb")
        #expect(requested.body == (try JSONValue(parsing: Array(passed.utf8))))
    }

    @Test func twoDevicesAreRefused() {
        let one = #""alwaysMatch": {"touchstone:device": "a"}"#
        let other = #""firstMatch": [{"touchstone:device": "b"}]"#
        #expect(throws: APIError.self) { try requested("{\"capabilities\": {\(one), \(other)}}") }
    }

    @Test(arguments: ["{}", "[]", #"{"desiredCapabilities": {}}"#, #"{"capabilities": 7}"#])
    func aBodyWithoutCapabilitiesIsTheDrivers(text: String) throws {
        #expect(try requested(text) == nil)
    }

    @Test func theAnswerNamesTheDeviceAndIsOtherwiseTheDrivers() throws {
        let capabilities: JSONValue = ["goog:chromeOptions": ["debuggerAddress": "localhost:9"]]
        let answer: JSONValue = ["value": ["sessionId": "s", "capabilities": capabilities]]
        let opened = try #require(OpenedSession(answer))
        #expect(opened.id == "s")
        #expect(opened.devTools == "localhost:9")
        #expect(opened.answer(naming: nil) == answer)
        let named = opened.answer(naming: "phone")
        #expect(named["value"]?["capabilities"]?[NewSession.deviceCapability] == "phone")
        #expect(named["value"]?["capabilities"]?["goog:chromeOptions"]?["debuggerAddress"] == "localhost:9")
        #expect(OpenedSession(["value": ["error": "session not created"]]) == nil)
    }

    @Test func theAnswerNamesThisServersEndpoints() throws {
        let options: JSONValue = ["debuggerAddress": "localhost:9"]
        let chromium = try #require(
            OpenedSession(["value": ["sessionId": "s", "capabilities": ["goog:chromeOptions": options]]]))
        let named = chromium.answer(naming: nil, port: 7)["value"]?["capabilities"]
        #expect(named?["goog:chromeOptions"]?["debuggerAddress"] == "localhost:7")
        let firefox = try #require(
            OpenedSession(["value": ["sessionId": "s", "capabilities": ["webSocketUrl": "ws://localhost:9/session/s"]]])
        )
        #expect(firefox.webSocket == "ws://localhost:9/session/s")
        let own = firefox.answer(naming: nil, port: 7)["value"]?["capabilities"]?["webSocketUrl"]
        #expect(own == "ws://127.0.0.1:7/session/s")
    }

    @Test(
        "A session of Firefox is found in the required capabilities and in the first optional ones",
        arguments: [
            (#"{"capabilities": {"alwaysMatch": {"browserName": "firefox", "webSocketUrl": true}}}"#, true, true),
            (#"{"capabilities": {"firstMatch": [{"browserName": "firefox"}]}}"#, true, false),
            (
                #"{"capabilities": {"firstMatch": [{"browserName": "chrome"}, {"browserName": "firefox"}]}}"#, false,
                false
            ),
            (#"{"capabilities": {}}"#, false, false),
        ])
    func firefox(asked: String, wantsFirefox: Bool, wantsBiDi: Bool) throws {
        let requested = try #require(try requested(asked))
        #expect(requested.wantsFirefox == wantsFirefox)
        #expect(requested.wantsBiDi == wantsBiDi)
    }
}
