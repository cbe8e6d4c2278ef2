internal import Foundation
internal import HTTPTypes
package import Hummingbird
package import LoopbackHTTP

/// WebDriver's error codes (WebDriver §6.6), each with its HTTP status.
package enum WebDriverError: String, Sendable {
    case invalidArgument = "invalid argument"
    case invalidSessionID = "invalid session id"
    case sessionNotCreated = "session not created"
    case unsupportedOperation = "unsupported operation"
    case unknownCommand = "unknown command"
    case unknownMethod = "unknown method"
    case unknownError = "unknown error"

    private var status: Int {
        switch self {
        case .invalidArgument: 400
        case .invalidSessionID, .unknownCommand: 404
        case .unknownMethod: 405
        case .sessionNotCreated, .unsupportedOperation, .unknownError: 500
        }
    }

    package func because(_ message: String) -> APIError { APIError(status, APIError.Code(rawValue: rawValue), message) }

    /// The answer for an error of any part of the server.
    package static func response(_ error: APIError) throws -> Response {
        let code = WebDriverError(rawValue: error.code.rawValue) ?? Self.code(for: error.status)
        var response = try Reply.json(
            ["value": ["error": code.rawValue, "message": error.message, "stacktrace": ""]],
            status: HTTPResponse.Status(code: error.status))
        response.headers.append(contentsOf: error.headers)
        return response
    }

    private static func code(for status: Int) -> WebDriverError {
        switch status {
        case 400, 413, 415: .invalidArgument
        case 404: .unknownCommand
        case 405: .unknownMethod
        default: .unknownError
        }
    }
}
