package import HTTPTypes

/// A request that was not granted: the HTTP status, a code for programs and a sentence for people.
package struct APIError: Error, Sendable {
    /// The HTTP status.
    package let status: Int
    /// What went wrong, for programs.
    package let code: Code
    /// What went wrong, for people.
    package let message: String
    /// Header fields the answer carries besides the usual ones.
    package var headers: HTTPFields
    /// What else the answer's `error` object holds, by name.
    package var details: [String: any Encodable & Sendable]

    /// The stable name of something that can go wrong, such as `route.notFound`.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
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

extension APIError: Hashable {
    /// Whether two errors say the same; what they add in ``details`` does not count.
    package static func == (left: APIError, right: APIError) -> Bool {
        left.status == right.status && left.code == right.code && left.message == right.message
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(code)
        hasher.combine(message)
    }
}
