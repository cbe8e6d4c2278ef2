import Documents
import HTTPTypes
import Testing

@testable import WebDriver

@Suite struct MarionetteCommandTests {
    @Test(
        "A classic command becomes one of Marionette, with the parts of its path as parameters",
        arguments: [
            (.get, "/title", [:], "WebDriver:GetTitle", [:]),
            (.post, "/url", ["url": "http://localhost/"], "WebDriver:Navigate", ["url": "http://localhost/"]),
            (
                .post, "/element/e1/element", ["using": "css selector", "value": "a"], "WebDriver:FindElement",
                ["using": "css selector", "value": "a", "element": "e1"]
            ),
            (
                .get, "/element/e1/attribute/data-a%20b", [:], "WebDriver:GetElementAttribute",
                ["id": "e1", "name": "data-a b"]
            ),
            (
                .post, "/frame", ["id": ["element-6066-11e4-a52e-4f735466cecf": "e2"]], "WebDriver:SwitchToFrame",
                ["element": "e2"]
            ),
            (.post, "/frame", ["id": .null], "WebDriver:SwitchToFrame", ["id": .null]),
            (.get, "/screenshot", [:], "WebDriver:TakeScreenshot", ["full": false]),
            (.delete, "/cookie", [:], "WebDriver:DeleteAllCookies", [:]),
            (.delete, "/cookie/a", [:], "WebDriver:DeleteCookie", ["name": "a"]),
        ] as [(HTTPRequest.Method, String, [String: JSONValue], String, [String: JSONValue])])
    func commands(
        method: HTTPRequest.Method, path: String, body: [String: JSONValue], name: String,
        parameters: [String: JSONValue]
    ) throws {
        let command = try #require(MarionetteCommand(method, path, body: body))
        #expect(command.name == name)
        #expect(command.parameters == parameters)
    }

    @Test(
        arguments: [(.get, "/none"), (.post, "/title"), (.get, "/element"), (.get, "/element/e1/css")]
            as [(HTTPRequest.Method, String)])
    func otherCommandsAreUnknown(method: HTTPRequest.Method, path: String) {
        #expect(MarionetteCommand(method, path, body: [:])?.name == nil)
    }

    @Test(arguments: [
        ("no such element", 404), ("element click intercepted", 400), ("javascript error", 500),
        ("script timeout", 500),
    ])
    func errorsHaveTheStatusOfWebDriver(code: String, status: Int) {
        #expect(Marionette.Refusal(code: code, message: "").status == status)
    }
}
