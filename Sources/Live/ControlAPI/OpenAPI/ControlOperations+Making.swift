internal import Documents
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// The answer of an operation: a value of a type, whose encoding the document describes.
struct TypedAnswer<Value: Codable & Sendable>: Sendable {
    let meaning: String
    /// The name of the type in the document; nil for a type that only one operation uses.
    let name: String?
    /// The form of the type; default: as the type decodes itself.
    let schema: Schema

    init(_ meaning: String, named name: String? = nil, schema: Schema = .of(Value.self)) {
        self.meaning = meaning
        self.name = name
        self.schema = schema
    }

    func answer(_ status: HTTPResponse.Status) -> Operation.Answer {
        Operation.Answer(status: status, meaning: meaning, content: .json(name.map { .named($0, schema) } ?? schema))
    }
}

extension ControlOperations {
    func operation<Value>(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, _ summary: String, _ tag: Operation.Tag,
        body: Schema? = nil, answer: TypedAnswer<Value>, status: HTTPResponse.Status = .ok, errors: [Int] = [],
        mayWaitForUser: Bool = false, _ perform: @escaping @Sendable (Call) async throws -> Value
    ) -> Operation {
        Operation(
            method: method, path: path, name: name, summary: summary, tag: tag, body: body,
            answer: answer.answer(status), errors: errors, mayWaitForUser: mayWaitForUser
        ) { call in try Reply.json(try await perform(call), status: status) }
    }

    func operation(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, _ summary: String, _ tag: Operation.Tag,
        body: Schema? = nil, done: String, errors: [Int] = [],
        _ perform: @escaping @Sendable (Call) async throws -> Void
    ) -> Operation {
        Operation(
            method: method, path: path, name: name, summary: summary, tag: tag, body: body,
            answer: .init(status: .noContent, meaning: done), errors: errors
        ) { call in
            try await perform(call)
            return Reply.noContent()
        }
    }

    /// An operation on the device in its path; `path` follows the device's name.
    func onDevice<Value>(
        _ method: HTTPRequest.Method, _ path: String, _ name: String, _ summary: String,
        _ tag: Operation.Tag = .devices, body: Schema? = nil, answer: TypedAnswer<Value>,
        status: HTTPResponse.Status = .ok, errors: [Int] = [], mayWaitForUser: Bool = false,
        _ perform: @escaping @Sendable (ManagedDevice, Call) async throws -> Value
    ) -> Operation {
        operation(
            method, "/v1/devices/{device}" + path, name, summary, tag, body: body, answer: answer,
            status: status, errors: errors, mayWaitForUser: mayWaitForUser
        ) { call in try await perform(try await device(call), call) }
    }
}
