internal import Foundation
package import HTTPTypes
package import Hummingbird

/// Builds responses.
package enum Reply {
    /// A value as JSON with sorted keys.
    package static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        json(bytes: try bytes(value), status: status)
    }

    static func body(of error: APIError) throws -> [UInt8] { try bytes(ErrorBody(error: error)) }

    private static func bytes(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    package static func json(bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    package static func redirect(to url: String) -> Response { Response(status: .found, headers: [.location: url]) }

    package static func noContent() -> Response { Response(status: .noContent) }

    /// The error as `{"error": {"code", "message", …}}`.
    package static func error(_ error: APIError) throws -> Response {
        var response = json(bytes: try body(of: error), status: HTTPResponse.Status(code: error.status))
        response.headers.append(contentsOf: error.headers)
        return response
    }

    private struct ErrorBody: Encodable {
        let error: APIError

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            var object = container.nestedContainer(keyedBy: Key.self, forKey: Key(stringValue: "error"))
            try object.encode(error.code.rawValue, forKey: Key(stringValue: "code"))
            try object.encode(error.message, forKey: Key(stringValue: "message"))
            for (name, value) in error.details { try object.encode(value, forKey: Key(stringValue: name)) }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
