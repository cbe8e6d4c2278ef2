package import Documents
internal import HTTPTypes
internal import LoopbackHTTP

/// An operation of the API for a caller in this process.
package struct OfferedOperation: Sendable {
    private let operation: Operation

    fileprivate init(_ operation: Operation) { self.operation = operation }

    package var summary: String { operation.summary }

    /// Whether it only reads.
    package var isReading: Bool { operation.method == .get }

    /// The parameters of the path and of the query, and the members of the body, as one object.
    ///
    /// A body with alternatives is described by all their members; ``perform(_:)`` checks it exactly.
    package var input: Schema {
        guard case .object(let body)? = operation.body?.joined else {
            return .object(Schema.Members(members: parameters))
        }
        return .object(Schema.Members(members: parameters + body.members))
    }

    private var parameters: [Schema.Member] {
        operation.pathParameters.map { .required($0.name, $0.schema, $0.meaning) }
            + operation.parameters.filter { !$0.isHeader }.map { .optional($0.name, $0.schema, $0.meaning) }
    }

    /// Performs the operation with an object of the form ``input``, which is checked exactly.
    ///
    /// - Throws: `APIError`, or `CancellationError` in a cancelled task.
    package func perform(_ input: JSONValue) async throws -> JSONValue {
        let call = try call(input)
        let bytes = try await operation.perform(call).collectedBytes()
        return bytes.isEmpty ? [:] : try JSONValue(parsing: bytes)
    }

    private func call(_ input: JSONValue) throws(APIError) -> Call {
        guard let body = operation.body else {
            try self.input.check(input)
            return Call(
                path: texts(input), query: values(input), authority: nil, headers: [:], body: .null)
        }
        let own = parameters
        try Schema.object(Schema.Members(members: own, isOpen: true)).check(input)
        let rest = (input.object ?? [:]).filter { member in !own.contains { $0.name == member.key } }
        try body.check(.object(rest))
        return Call(path: texts(input), query: values(input), authority: nil, headers: [:], body: .object(rest))
    }

    private func texts(_ input: JSONValue) -> [String: String] {
        var texts: [String: String] = [:]
        for parameter in operation.pathParameters {
            let value = input[parameter.name]
            texts[parameter.name] = value?.text ?? value?.integer.map(String.init)
        }
        return texts
    }

    private func values(_ input: JSONValue) -> [String: JSONValue] {
        (input.object ?? [:]).filter { member in
            operation.parameters.contains { $0.name == member.key && !$0.isHeader }
        }
    }
}

extension ControlServer {
    /// The operation of a name in the OpenAPI document; nil for an unknown name.
    package func operation(_ name: String) -> OfferedOperation? {
        operations.all.first { $0.name == name }.map(OfferedOperation.init)
    }
}
