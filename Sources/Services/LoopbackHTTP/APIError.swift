package import HTTPTypes

/// A refused request: the HTTP status, a code for programs and a message for the user.
package struct APIError: Error, Sendable {
    package let status: Int
    package let code: Code
    package let message: String
    /// Additional header fields of the response.
    package var headers: HTTPFields
    /// Additional members of the response's `error` object, by name.
    package var details: [String: any Encodable & Sendable]

    /// The stable name of an error, such as `route.notFound`.
    package struct Code: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
        package init(stringLiteral value: String) { rawValue = value }
    }

    package init(
        _ status: Int, _ code: Code, _ message: String, headers: HTTPFields = [:],
        details: [String: any Encodable & Sendable] = [:]
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.headers = headers
        self.details = details
    }
}

extension APIError: CustomStringConvertible {
    /// The sentence alone, for a caller without HTTP such as a scenario's step.
    package var description: String { message }
}

extension APIError: Hashable {
    /// Whether two errors have the same status, code and message; ``details`` are ignored.
    package static func == (left: APIError, right: APIError) -> Bool {
        left.status == right.status && left.code == right.code && left.message == right.message
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(code)
        hasher.combine(message)
    }
}
