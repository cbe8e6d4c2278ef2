/// The answer to a ``DeviceRequest``, as one line of JSON.
struct DeviceSocketResponse: Hashable, Sendable, Codable {
    /// The reason why the request could not be performed; nil on success.
    var error: String?
    /// The cause of the device's refusal of an act; nil on success.
    var refusal: String?
    /// The reason why a possible act would change nothing; nil on success.
    var idleness: String?
    var status: DeviceAnswer?

    static func performing(_ body: () async throws(DeviceHostError) -> DeviceAnswer) async -> DeviceSocketResponse {
        do {
            return DeviceSocketResponse(status: try await body())
        } catch {
            return switch error {
            case .refused(let cause): DeviceSocketResponse(refusal: cause)
            case .idle(let reason): DeviceSocketResponse(idleness: reason)
            default: DeviceSocketResponse(error: error.description)
            }
        }
    }

    func result() throws(DeviceHostError) -> DeviceAnswer {
        if let error { throw .impossible(error) }
        if let refusal { throw .refused(refusal) }
        if let idleness { throw .idle(idleness) }
        guard let status else { throw .impossible("the device gave no answer") }
        return status
    }
}
