internal import Foundation
internal import LoopbackHTTP
internal import RelyingParty
internal import WebAuthn

/// A request to a relying party, and its answer.
package struct RelyingPartyExchange: Sendable {
    /// The method and the path.
    package let request: String
    package let requestBody: [UInt8]
    package let status: Int
    package let body: [UInt8]
    /// The media type of the answer's body, without parameters; nil for none.
    package var contentType: String?
    package let verdicts: [RelyingPartyEvent]
    package let isSuccess: Bool
    private let stated: Problem?

    /// - Parameters:
    ///   - isSuccess: whether the relying party fulfilled the request; nil: a status of 2xx counts as success.
    ///   - problem: the error that the answer states; nil for one in the server's own form.
    package init(
        request: String, requestBody: [UInt8], status: Int, body: [UInt8], contentType: String? = nil,
        verdicts: [RelyingPartyEvent] = [], isSuccess: Bool? = nil, problem: Problem? = nil
    ) {
        self.request = request
        self.requestBody = requestBody
        self.status = status
        self.body = body
        self.contentType = contentType
        self.verdicts = verdicts
        self.isSuccess = isSuccess ?? (200..<300).contains(status)
        stated = problem
    }

    package struct Problem: Decodable, Sendable, CustomStringConvertible {
        package static let usernameTaken = APIError.usernameTaken.code.rawValue

        package let code: String
        package let message: String

        package var description: String { "\(code): \(message)" }

        package init(code: String, message: String) { (self.code, self.message) = (code, message) }
    }

    package var problem: Problem? {
        guard !isSuccess else { return nil }
        return stated ?? (try? decode([String: Problem].self))?["error"] ?? (try? decode(ServiceProblem.self))?.problem
            ?? Problem(code: "http.\(status)", message: "the response has no JSON error")
    }

    /// The errors of the services beside the server: the gateway's `error_code`, Authsignal's `errorCode`, Cognito's `__type`,
    /// OAuth's `error`.
    private struct ServiceProblem: Decodable {
        let problem: Problem

        private enum CodingKeys: String, CodingKey {
            case error, errorCode, errorDescription, message
            case flatCode = "error_code"
            case flatMessage = "msg"
            case type = "__type"
            case description = "error_description"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            if let code = try values.decodeIfPresent(String.self, forKey: .flatCode) {
                problem = Problem(code: code, message: try values.decode(String.self, forKey: .flatMessage))
                return
            }
            if let code = try values.decodeIfPresent(String.self, forKey: .errorCode) {
                let description = try values.decodeIfPresent(String.self, forKey: .errorDescription)
                problem = Problem(code: code, message: description ?? "")
            } else if let type = try values.decodeIfPresent(String.self, forKey: .type) {
                problem = Problem(code: type, message: try values.decode(String.self, forKey: .message))
            } else {
                problem = Problem(
                    code: try values.decode(String.self, forKey: .error),
                    message: try values.decodeIfPresent(String.self, forKey: .description) ?? "")
            }
        }
    }

    package func decode<Body: Decodable>(_ type: Body.Type = Body.self) throws -> Body {
        try JSONDecoder().decode(type, from: Data(body))
    }

    package var failedSteps: [String] { verdicts.flatMap(\.failedSteps) }

    package var line: String {
        verdicts.reduce("\(request) → \(status)" + (problem.map { " \($0.code)" } ?? "")) { line, verdict in
            let failed = verdict.failedSteps
            return failed.isEmpty
                ? "\(line), every ledger step passed"
                : "\(line), the ledger failed at \(failed.joined(separator: ", "))"
        }
    }
}

extension RelyingPartyEvent {
    package var failedSteps: [String] { ledger.failures.map(\.step.rawValue) }
}
