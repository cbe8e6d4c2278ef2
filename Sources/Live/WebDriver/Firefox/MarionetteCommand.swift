internal import Documents
internal import Foundation
internal import HTTPTypes

/// A command of classic WebDriver (WebDriver §6.4) as Firefox's Marionette has it.
struct MarionetteCommand: Sendable {
    let name: String
    let parameters: [String: JSONValue]

    init(_ name: String, _ parameters: [String: JSONValue]) {
        self.name = "WebDriver:" + name
        self.parameters = parameters
    }

    private typealias Row = (method: HTTPRequest.Method, path: String, name: String)

    /// A name in braces is the parameter with that part of the path.
    private static let table: [Row] = [
        (.get, "timeouts", "GetTimeouts"), (.post, "timeouts", "SetTimeouts"),
        (.post, "url", "Navigate"), (.get, "url", "GetCurrentURL"), (.post, "back", "Back"),
        (.post, "forward", "Forward"), (.post, "refresh", "Refresh"), (.get, "title", "GetTitle"),
        (.get, "window", "GetWindowHandle"), (.delete, "window", "CloseWindow"), (.post, "window", "SwitchToWindow"),
        (.get, "window/handles", "GetWindowHandles"), (.post, "window/new", "NewWindow"),
        (.post, "frame", "SwitchToFrame"), (.post, "frame/parent", "SwitchToParentFrame"),
        (.get, "window/rect", "GetWindowRect"), (.post, "window/rect", "SetWindowRect"),
        (.post, "window/maximize", "MaximizeWindow"), (.post, "window/minimize", "MinimizeWindow"),
        (.post, "window/fullscreen", "FullscreenWindow"),
        (.get, "element/active", "GetActiveElement"),
        (.post, "element", "FindElement"), (.post, "elements", "FindElements"),
        (.post, "element/{element}/element", "FindElement"), (.post, "element/{element}/elements", "FindElements"),
        (.get, "element/{id}/shadow", "GetShadowRoot"),
        (.post, "shadow/{shadowRoot}/element", "FindElementFromShadowRoot"),
        (.post, "shadow/{shadowRoot}/elements", "FindElementsFromShadowRoot"),
        (.get, "element/{id}/selected", "IsElementSelected"), (.get, "element/{id}/enabled", "IsElementEnabled"),
        (.get, "element/{id}/displayed", "IsElementDisplayed"),
        (.get, "element/{id}/attribute/{name}", "GetElementAttribute"),
        (.get, "element/{id}/property/{name}", "GetElementProperty"),
        (.get, "element/{id}/css/{propertyName}", "GetElementCSSValue"), (.get, "element/{id}/text", "GetElementText"),
        (.get, "element/{id}/name", "GetElementTagName"), (.get, "element/{id}/rect", "GetElementRect"),
        (.get, "element/{id}/computedrole", "GetComputedRole"),
        (.get, "element/{id}/computedlabel", "GetComputedLabel"),
        (.post, "element/{id}/click", "ElementClick"), (.post, "element/{id}/clear", "ElementClear"),
        (.post, "element/{id}/value", "ElementSendKeys"),
        (.get, "source", "GetPageSource"), (.post, "execute/sync", "ExecuteScript"),
        (.post, "execute/async", "ExecuteAsyncScript"),
        (.get, "cookie", "GetCookies"), (.get, "cookie/{name}", "GetCookies"), (.post, "cookie", "AddCookie"),
        (.delete, "cookie", "DeleteAllCookies"), (.delete, "cookie/{name}", "DeleteCookie"),
        (.post, "actions", "PerformActions"), (.delete, "actions", "ReleaseActions"),
        (.post, "alert/dismiss", "DismissAlert"), (.post, "alert/accept", "AcceptAlert"),
        (.get, "alert/text", "GetAlertText"), (.post, "alert/text", "SendAlertText"),
        (.get, "screenshot", "TakeScreenshot"), (.get, "element/{id}/screenshot", "TakeScreenshot"),
        (.post, "print", "Print"),
    ]

    /// - Parameter path: behind the session.
    /// - Returns: nil for an unknown command.
    init?(_ method: HTTPRequest.Method, _ path: String, body: [String: JSONValue]) {
        let parts = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        for row in Self.table where row.method == method {
            guard let variables = Self.match(parts, row.path) else { continue }
            var parameters = body.merging(variables) { $1 }
            // A frame is a number, an element or the page.
            if row.name == "SwitchToFrame", let element = body["id"]?.object?.values.first {
                parameters = ["element": element]
            }
            // An element's screenshot shows it alone, another one the viewport.
            if row.name == "TakeScreenshot" { parameters["full"] = false }
            self.init(row.name, parameters)
            return
        }
        return nil
    }

    private static func match(_ parts: [String], _ path: String) -> [String: JSONValue]? {
        let pattern = path.split(separator: "/")
        guard parts.count == pattern.count else { return nil }
        var variables: [String: JSONValue] = [:]
        for (part, expected) in zip(parts, pattern) {
            if expected.hasPrefix("{") {
                variables[String(expected.dropFirst().dropLast())] = .text(part)
            } else if part != expected {
                return nil
            }
        }
        return variables
    }
}

extension Marionette.Refusal {
    /// The HTTP status of the code (WebDriver §6.6).
    var status: Int { Self.statuses[code] ?? 500 }

    private static let statuses: [String: Int] = {
        let bad = [
            "element click intercepted", "element not interactable", "insecure certificate", "invalid argument",
            "invalid cookie domain", "invalid element state", "invalid selector",
        ]
        let missing = [
            "detached shadow root", "invalid session id", "no such alert", "no such cookie", "no such element",
            "no such frame", "no such shadow root", "no such window", "stale element reference", "unknown command",
        ]
        return Dictionary(uniqueKeysWithValues: bad.map { ($0, 400) } + missing.map { ($0, 404) })
    }()
}
