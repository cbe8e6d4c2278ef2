internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import SimulatedDevice

/// The operations of the API, which share what they work on.
struct ControlOperations: Sendable {
    let configuration: ControlConfiguration
    let fleet: Fleet
    let journal: EventJournal

    /// All of them, and the document about them.
    var all: [Operation] {
        let operations =
            library + devices + acts + travel + people + credentials + clients + snapshots + events
            + WebDriverOperations(fleet: fleet, configuration: configuration).all
        return operations + [document(of: operations)]
    }

    /// The device a request's path names.
    ///
    /// What was on its way between devices has arrived by then.
    func device(_ call: Call) async throws -> ManagedDevice {
        await fleet.settle()
        return try await fleet.device(call.parameter("device"))
    }

    private func document(of operations: [Operation]) -> Operation {
        func operation(_ perform: @escaping @Sendable (Call) async throws -> Response) -> Operation {
            Operation(
                method: .get, path: "/openapi.json", name: "openAPIDocument", summary: "This document", tag: "library",
                answer: .init(
                    meaning: "OpenAPI 3.1", content: .json(.object(Schema.Members(members: [], isOpen: true)))),
                perform: perform)
        }
        // The document lists the endpoint it is read from.
        let json = OpenAPIDocument.json(of: operations + [operation { _ in Reply.noContent() }])
        return operation { _ in try Reply.json(json) }
    }
}

extension Operation.Answer {
    /// 200 with a value of a type.
    static func json<Value: Codable>(_ type: Value.Type, _ meaning: String, named name: String? = nil) -> Self {
        let schema = Schema.of(type)
        return Operation.Answer(meaning: meaning, content: .json(name.map { .named($0, schema) } ?? schema))
    }

    /// 204.
    static func nothing(_ meaning: String) -> Self { Operation.Answer(status: .noContent, meaning: meaning) }

    /// The same with another status.
    func with(_ status: HTTPResponse.Status) -> Self {
        var answer = self
        answer.status = status
        return answer
    }

    static let state = Operation.Answer.json(DeviceState.self, "How the device is", named: "DeviceState")
    static let outcome = Operation.Answer.json(Outcome.self, "What came of it", named: "Outcome")
}

/// What came of something that a device may refuse.
struct Outcome: Codable, Sendable {
    /// Whether it was done.
    let done: Bool
    /// Why it was not.
    let cause: String?
    /// What whoever asked was told beside that.
    let answer: String?
    /// The CTAP status it was refused with, where a client asked.
    let ctapStatus: Int?
    /// How the device is now.
    let state: DeviceState

    init(_ device: ManagedDevice, cause: String? = nil, answer: String? = nil, ctapStatus: Int? = nil) async {
        done = cause == nil
        self.cause = cause
        self.answer = answer
        self.ctapStatus = ctapStatus
        state = await DeviceState(device)
    }
}
