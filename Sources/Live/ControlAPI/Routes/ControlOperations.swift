internal import Causes
internal import DeviceHost
internal import DeviceProfiles
internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import PlatformErrors
internal import SimulatedDevice

/// The operations of the API.
struct ControlOperations: Sendable {
    let configuration: ControlConfiguration
    let fleet: Fleet
    let journal: EventJournal
    let tokens: AccessTokens
    let sockets: RequestSockets
    /// Reads files of profiles, which other people may have written.
    let files = BoundedWork("touchstone.profiles", threads: 2, mostWaiting: 32)

    var all: [Operation] {
        let operations =
            library + devices + acts + scans + apps + transfers + people + credentials + secrets + clients
            + conditionalRequests
            + signals
            + browserRequests + pageRequests + ceremonies + snapshots + events + server + services + panel + webSockets
            + WebDriverOperations(fleet: fleet, configuration: configuration).all
        return operations + [document(of: operations)]
    }

    func device(_ call: Call) async throws -> ManagedDevice { try await fleet.settled(call.parameter("device")) }

    private func document(of operations: [Operation]) -> Operation {
        func operation(_ perform: @escaping @Sendable (Call) async throws -> Response) -> Operation {
            Operation(
                method: .get, path: "/openapi.json", name: "openAPIDocument", summary: "This document", tag: .library,
                answer: .init(meaning: "OpenAPI 3.1", content: .json(.anyObject)),
                perform: perform)
        }
        // The document describes its own endpoint, too.
        let json = OpenAPIDocument.json(of: operations + [operation { _ in Reply.noContent() }])
        return operation { _ in try Reply.json(json) }
    }
}

extension TypedAnswer<DeviceReport> {
    static var state: Self { Self("The device's current state", named: "DeviceState") }
}

extension TypedAnswer<Outcome> {
    static var outcome: Self { Self("The result", named: "Outcome") }
}

/// The result of a request that the device may refuse.
struct Outcome: Codable, Sendable {
    let done: Bool
    let cause: Cause?
    /// The errors that the app gets for the cause, from its platform and from SDKs; nil for none, and for an act of the user.
    let faces: [PlatformError]?
    /// A sentence that says more about the refusal than the cause, or why an act without a cause changed nothing.
    let explanation: String?
    /// The answer to the caller, such as a secret.
    let answer: String?
    /// The document that the act made, with private keys.
    let document: [String: JSONValue]?
    /// The CTAP status of the refusal of a client's command.
    let ctapStatus: Int?
    let state: DeviceReport

    init(
        _ device: ManagedDevice, cause: Cause? = nil, during operation: PlatformOperation? = nil,
        idleness: String? = nil, explanation: String? = nil, answer: String? = nil, document: String? = nil,
        ctapStatus: Int? = nil
    ) async {
        done = cause == nil && idleness == nil
        if let cause, let operation {
            let errors = device.profile.platformErrors.errors(of: cause, reachingCallerDuring: operation)
            faces = errors.isEmpty ? nil : errors
        } else {
            faces = nil
        }
        (self.cause, self.explanation, self.answer, self.ctapStatus) = (
            cause, explanation ?? idleness, answer, ctapStatus
        )
        self.document = document.flatMap { (try? JSONValue(parsing: Array($0.utf8)))?.object }
        state = await device.host.report()
    }
}
