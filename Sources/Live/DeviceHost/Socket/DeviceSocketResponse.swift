/// The answer to a ``DeviceRequest``, as one line of JSON.
struct DeviceSocketResponse: Hashable, Sendable, Codable {
    /// The reason why the request could not be performed; nil on success.
    var error: String?
    /// The cause of the device's refusal of an act; nil on success.
    var refusal: String?
    var status: DeviceAnswer?

    static func performing(_ body: () async throws(DeviceHostError) -> DeviceAnswer) async -> DeviceSocketResponse {
        do {
            return DeviceSocketResponse(status: try await body())
        } catch {
            if case .refused(let cause) = error { return DeviceSocketResponse(refusal: cause) }
            return DeviceSocketResponse(error: error.description)
        }
    }

    func result() throws(DeviceHostError) -> DeviceAnswer {
        if let error { throw .impossible(error) }
        if let refusal { throw .refused(refusal) }
        guard let status else { throw .impossible("the device gave no answer") }
        return status
    }
}
