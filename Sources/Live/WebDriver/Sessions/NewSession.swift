internal import ControlAPI
package import Documents
package import LoopbackHTTP

/// The body of New Session (WebDriver §8.1), without the members that only this server understands.
package struct NewSession: Sendable {
    package static let deviceCapability = OwnNames.device

    /// The body for the driver.
    package let body: JSONValue
    /// The session's device: a profile's name or an object; nil without the capability.
    package let device: JSONValue?
    /// The required capabilities and the first optional ones, for a browser that this server starts.
    private let requested: [String: JSONValue]

    /// - Returns: nil for a body without `capabilities`, which only the driver can judge.
    /// - Throws: `invalid argument` for several different devices, and for an unknown or misplaced name of this program.
    package init?(_ body: JSONValue) throws(APIError) {
        guard var members = body.object, var capabilities = members["capabilities"]?.object else {
            try OwnNames.check(body["desiredCapabilities"])
            return nil
        }
        for object in [body, .object(capabilities)] where object[Self.deviceCapability] != nil {
            throw WebDriverError.invalidArgument.because(
                "“\(Self.deviceCapability)” is in the wrong place; put it into alwaysMatch or a set of firstMatch.")
        }
        let sets = [capabilities["alwaysMatch"] ?? [:]] + (capabilities["firstMatch"]?.array ?? [])
        for object in [body, .object(capabilities)] + sets {
            try OwnNames.check(object, known: Self.deviceCapability)
        }
        var devices: [JSONValue] = []
        func strip(_ set: JSONValue) -> JSONValue {
            guard var requested = set.object else { return set }
            if let device = requested.removeValue(forKey: Self.deviceCapability), !devices.contains(device) {
                devices.append(device)
            }
            return .object(requested)
        }
        capabilities["alwaysMatch"] = capabilities["alwaysMatch"].map(strip)
        if let sets = capabilities["firstMatch"]?.array { capabilities["firstMatch"] = .array(sets.map(strip)) }
        guard devices.count <= 1 else {
            throw WebDriverError.invalidArgument.because(
                "“\(Self.deviceCapability)” has several values; name one device for the session.")
        }
        members["capabilities"] = .object(capabilities)
        self.body = .object(members)
        device = devices.first
        requested = (capabilities["firstMatch"]?.array?.first?.object ?? [:])
            .merging(capabilities["alwaysMatch"]?.object ?? [:]) { $1 }
    }

    /// Whether the browser must be Firefox.
    package var wantsFirefox: Bool { requested["browserName"] == "firefox" }

    /// Whether the client speaks WebDriver BiDi.
    package var wantsBiDi: Bool { requested[OpenedSession.webSocketURL] == true }

    subscript(_ capability: String) -> JSONValue? { requested[capability] }

    /// The body for a driver of Firefox, whose pages are reached over WebDriver BiDi.
    var askingForBiDi: JSONValue {
        guard var members = body.object, var capabilities = members["capabilities"]?.object,
            wantsFirefox, !wantsBiDi
        else { return body }
        var always = capabilities["alwaysMatch"]?.object ?? [:]
        always[OpenedSession.webSocketURL] = true
        capabilities["alwaysMatch"] = .object(always)
        members["capabilities"] = .object(capabilities)
        return .object(members)
    }

    /// The capabilities for Firefox itself, which does not know those of drivers; pages are reached over WebDriver BiDi.
    var capabilitiesForFirefox: [String: JSONValue] {
        let drivers = [FirefoxOptions.capability, "moz:debuggerAddress"]
        var capabilities = requested.filter { !drivers.contains($0.key) }
        capabilities[OpenedSession.webSocketURL] = true
        // In a session with WebDriver BiDi Firefox closes prompts at once, and classic commands find none.
        let prompts = "unhandledPromptBehavior"
        if !wantsBiDi, capabilities[prompts] == nil { capabilities[prompts] = "ignore" }
        return capabilities
    }
}

/// The driver's answer to New Session.
package struct OpenedSession: Sendable {
    package let id: String
    /// The address of the browser's DevTools, such as `localhost:9222`; nil for a browser without.
    package let devTools: String?
    /// The address of the session's WebDriver BiDi; nil for a session without.
    package let webSocket: String?
    private let answer: JSONValue
    private let capabilities: [String: JSONValue]

    /// The capability with the address of a session's WebDriver BiDi.
    static let webSocketURL = "webSocketUrl"
    private static let debuggerAddress = "debuggerAddress"

    /// - Returns: nil for an answer without a session.
    package init?(_ answer: JSONValue) {
        guard let id = answer["value"]?["sessionId"]?.text,
            let capabilities = answer["value"]?["capabilities"]?.object
        else { return nil }
        self.id = id
        // Under the vendor's capability: goog:chromeOptions, ms:edgeOptions.
        devTools = capabilities.values.lazy.compactMap { $0[Self.debuggerAddress]?.text }.first
        webSocket = capabilities[Self.webSocketURL]?.text
        self.answer = answer
        self.capabilities = capabilities
    }

    /// The answer for the client; `port` is this server's for DevTools or WebDriver BiDi, nil for the browser's own.
    package func answer(naming device: String?, port: Int? = nil) -> JSONValue {
        guard var members = answer.object, var value = members["value"]?.object else { return answer }
        var capabilities = capabilities
        if let device { capabilities[NewSession.deviceCapability] = .text(device) }
        if let port, devTools != nil {
            for (name, options) in capabilities {
                guard var options = options.object, options[Self.debuggerAddress] != nil else { continue }
                options[Self.debuggerAddress] = .text("localhost:\(port)")
                capabilities[name] = .object(options)
            }
        } else if let port, webSocket != nil {
            capabilities[Self.webSocketURL] = .text("ws://127.0.0.1:\(port)\(BiDiClients.path(of: id))")
        }
        value["capabilities"] = .object(capabilities)
        members["value"] = .object(value)
        return .object(members)
    }
}
