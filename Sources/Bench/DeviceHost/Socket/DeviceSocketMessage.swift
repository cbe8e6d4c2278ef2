internal import DeviceActs
internal import SimulatedDevice

/// A ``DeviceRequest`` as one line of JSON on the device's socket.
struct DeviceSocketRequest: Hashable, Sendable, Codable {
    enum Command: String, Sendable, Codable {
        case present
        case forgetPlans = "forget-plans"
        case unplug
        case plugIn = "plug-in"
        case tap, remove, status, act, snapshot, restore
    }

    let command: Command
    /// The word of an act, or the absolute path of a state file.
    var argument: String?
    /// The arguments of a device act, by parameter name.
    var arguments: [String: String]?
    /// The number of the command to leave in, for ``Command/remove``.
    var times: Int?

    init(_ request: DeviceRequest) {
        switch request {
        case .status: command = .status
        case .present(let act): (command, argument) = (.present, act.word)
        case .forgetPlans: command = .forgetPlans
        case .unplug: command = .unplug
        case .plugIn: command = .plugIn
        case .tap: command = .tap
        case .remove(let number): (command, times) = (.remove, number)
        case .act(let act): (command, argument, arguments) = (.act, act.word, act.arguments)
        case .snapshot(let path): (command, argument) = (.snapshot, path)
        case .restore(let path): (command, argument) = (.restore, path)
        }
    }

    /// The request.
    ///
    /// - Throws: ``DeviceHostError/impossible(_:)`` for an unknown act or a relative path.
    func request() throws(DeviceHostError) -> DeviceRequest {
        switch command {
        case .status: return .status
        case .present:
            guard let argument, let act = PersonAct(word: argument) else {
                throw .impossible(PersonAct.problem(ofPhrase: argument ?? ""))
            }
            return .present(act)
        case .forgetPlans: return .forgetPlans
        case .unplug: return .unplug
        case .plugIn: return .plugIn
        case .tap: return .tap
        case .remove: return .remove(duringCommand: times)
        case .act:
            do {
                return .act(try DeviceAct(verb: argument ?? "", arguments: arguments ?? [:]))
            } catch {
                throw .impossible(error.description)
            }
        case .snapshot: return .snapshot(path: try path())
        case .restore: return .restore(path: try path())
        }
    }

    private func path() throws(DeviceHostError) -> String {
        guard let argument, argument.hasPrefix("/") else { throw .impossible("expected the absolute path of a file") }
        return argument
    }
}

/// The answer to a ``DeviceSocketRequest``, as one line of JSON.
struct DeviceSocketResponse: Hashable, Sendable, Codable {
    /// The reason why the request could not be performed; nil on success.
    var error: String?
    /// The cause of the device's refusal of an act; nil on success.
    var refusal: String?
    /// The device's status after the request.
    var status: DeviceStatus?

    /// Performs a request and wraps its result.
    static func performing(
        _ body: () async throws(DeviceHostError) -> DeviceStatus
    ) async -> DeviceSocketResponse {
        do {
            return DeviceSocketResponse(status: try await body())
        } catch {
            if case .refused(let cause) = error { return DeviceSocketResponse(refusal: cause) }
            return DeviceSocketResponse(error: error.description)
        }
    }

    /// The status, or the reason for its absence.
    func result() throws(DeviceHostError) -> DeviceStatus {
        if let error { throw .impossible(error) }
        if let refusal { throw .refused(refusal) }
        guard let status else { throw .impossible("the device gave no answer") }
        return status
    }
}
