import Documents
import LoopbackHTTP
import Testing

@testable import WebDriver

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

    @Test(
        "An unknown name of this program is refused with the near one, and a misplaced name with its place",
        arguments: [
            (#"{"capabilities": {"alwaysMatch": {"touchstone:devise": "usb"}}}"#, "use touchstone:device"),
            (
                #"{"capabilities": {"firstMatch": [{}, {"Touchstone:Device": "usb"}]}}"#,
                "use touchstone:device"
            ),
            (#"{"capabilities": {"touchstone:device": "usb"}}"#, "alwaysMatch"),
            (#"{"capabilities": {}, "touchstone:device": "usb"}"#, "alwaysMatch"),
            (#"{"desiredCapabilities": {"touchstone:device": "usb"}}"#, "is unknown here"),
        ])
    func wrongNameIsRefused(text: String, words: String) throws {
        let error = try #require(throws: APIError.self) { _ = try requested(text) }
        #expect(error.code.rawValue == "invalid argument")
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test(
        "The value of the capability has the members of a device order and the user's part, each of its form",
        arguments: [
            (#""solo-1""#, nil), (#"{"profile": "solo-1", "pins": ["1234"], "account": 2, "autofill": true}"#, nil),
            ("7", "must be a profile's name or an object"),
            (#"{"profile": "solo-1", "pin": ["1234"]}"#, "“touchstone:device.pin” is not known"),
            (#"{"profile": "solo-1", "pins": "1234"}"#, "“touchstone:device.pins” must be an array, not text"),
            (#"{"profile": "solo-1", "account": 0}"#, "“touchstone:device.account” must be a whole number from 1"),
            (#"{"profile": "solo-1", "autofill": "yes"}"#, "“touchstone:device.autofill” must be true or false"),
        ] as [(String, String?)])
    func deviceIsChecked(text: String, problem: String?) throws {
        let value = try JSONValue(parsing: Array(text.utf8))
        guard let problem else {
            _ = try RequestedDevice(value)
            return
        }
        let error = try #require(throws: APIError.self) { try RequestedDevice(value) }
        #expect(error.status == 400)
        #expect(error.message.contains(problem), "\(error.message)")
    }

    @Test("DevTools' options have no unknown name of this program")
    func devToolsOptions() throws {
        let options: [String: JSONValue] = ["protocol": "ctap2", "touchstone:profile": "solo-1", "surplus": 1]
        #expect(try VirtualAuthenticatorParameters(options).webDriver["touchstone:profile"] == "solo-1")
        let error = try #require(throws: DevToolsError.self) {
            try VirtualAuthenticatorParameters(["protocol": "ctap2", "touchstone:profil": "solo-1"])
        }
        #expect(error.message.contains("use touchstone:profile"))
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
