internal import DeviceHost
package import Documents

extension ControlServer {
    /// Answers a page's request, as `POST /v1/devices/{device}/page-requests` does.
    ///
    /// - Parameters:
    ///   - name: the device's name; nil for a browser without one.
    ///   - isUserPresent: whether the user is there; a ceremony that begins without the user waits for its timeout.
    /// - Throws: `APIError`, such as `device.notFound` and `browserRequest.ended`.
    package func answerPage(_ body: JSONValue, with name: String?, isUserPresent: Bool = true) async throws
        -> PageAnswer
    {
        try PageRequest.schema.check(body)
        let device: ManagedDevice? = if let name { try await fleet.settled(name) } else { nil }
        return try await PageCarrier(device).journaledAnswer(PageRequest(body, isUserPresent: isUserPresent))
    }

    /// The user picks a passkey, as `POST /v1/devices/{device}/page-requests/pick` does; returns the ceremony's error.
    package func pickForPage(_ body: JSONValue, on name: String) async throws -> JSONValue? {
        try PickResult.requestSchema.check(body)
        return try await fleet.settled(name).pick(body).error.map { try JSONValue(encoding: $0) }
    }

    package func offerSuggestions(on name: String) async { (try? await fleet.device(name))?.browserRequests.offer() }
}
