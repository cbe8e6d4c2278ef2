internal import ControlAPI
package import Documents
package import LoopbackHTTP

/// The body of New Session (WebDriver §8.1), without what only this server understands.
package struct NewSession: Sendable {
    /// The capability that names the session's device.
    package static let deviceCapability = "touchstone:device"

    /// The body for the driver.
    package let body: JSONValue
    /// The session's device: a profile's name or an object; nil without the capability.
    package let device: JSONValue?

    /// - Returns: nil for a body without `capabilities`, which only the driver can judge.
    /// - Throws: `invalid argument` for several different devices.
    package init?(_ body: JSONValue) throws(APIError) {
        guard var members = body.object, var capabilities = members["capabilities"]?.object else { return nil }
        var devices: [JSONValue] = []
        func strip(_ set: JSONValue) -> JSONValue {
            guard var wishes = set.object else { return set }
            if let device = wishes.removeValue(forKey: Self.deviceCapability), !devices.contains(device) {
                devices.append(device)
            }
            return .object(wishes)
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
    }
}

/// The driver's answer to New Session.
package struct OpenedSession: Sendable {
    package let id: String
    /// The address of the browser's DevTools, such as `localhost:9222`; nil for a browser without.
    package let devTools: String?
    private let answer: JSONValue
    private let capabilities: [String: JSONValue]

    /// - Returns: nil for an answer without a session.
    package init?(_ answer: JSONValue) {
        guard let id = answer["value"]?["sessionId"]?.text,
            let capabilities = answer["value"]?["capabilities"]?.object
        else { return nil }
        self.id = id
        // Under the vendor's capability: goog:chromeOptions, ms:edgeOptions.
        devTools = capabilities.values.lazy.compactMap { $0["debuggerAddress"]?.text }.first
        self.answer = answer
        self.capabilities = capabilities
    }

    /// The answer for the client.
    ///
    /// - Parameter device: the name of the session's device; nil without one.
    package func answer(naming device: String?) -> JSONValue {
        guard let device, var members = answer.object, var value = members["value"]?.object else { return answer }
        value["capabilities"] = .object(
            capabilities.merging([NewSession.deviceCapability: .text(device)]) { _, own in own })
        members["value"] = .object(value)
        return .object(members)
    }
}
