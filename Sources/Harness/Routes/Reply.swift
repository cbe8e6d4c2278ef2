internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import RelyingParty

/// Builds answers.
enum Reply {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try encoder.encode(value))))
    }

    static func noContent() -> Response {
        Response(status: .noContent)
    }

    static func error(_ error: APIError) throws -> Response {
        try json(
            ErrorBody(
                error: ErrorBody.Details(
                    code: error.code.rawValue, message: error.message, ledger: error.ledger?.entries)),
            status: HTTPResponse.Status(code: error.status))
    }

    private struct ErrorBody: Encodable {
        struct Details: Encodable {
            let code: String
            let message: String
            let ledger: [LedgerEntry]?
        }

        let error: Details
    }
}
