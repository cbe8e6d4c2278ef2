internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// A refusal of the Authsignal-like service: `{"error", "errorCode", "errorDescription"}`.
enum AuthsignalError: String, ServiceRefusal {
    case tokenInvalid = "invalid_token"
    case tokenExpired = "token_expired"
    case emailMismatch = "email_mismatch"
    case notEnrolled = "not_enrolled"
    case codeInvalid = "code_invalid"
    case codeExpired = "code_expired"
    case tooManyAttempts = "too_many_attempts"
    case rateLimited = "rate_limited"
    case passkeyRefused = "passkey_refused"
    case actionMissing = "action_missing"

    private var message: String {
        switch self {
        case .tokenInvalid: "The token is not valid; start again."
        case .tokenExpired: "The token has expired; start again."
        case .emailMismatch: "The token belongs to another e-mail address."
        case .notEnrolled: "No code was sent to this user; enrol the e-mail address or ask for a challenge."
        case .codeInvalid: "The code is wrong, or it was already used."
        case .codeExpired: "The code has expired; ask for a new one."
        case .tooManyAttempts: "Too many wrong codes; ask for a new one."
        case .rateLimited: "Too many codes were sent or were wrong; wait an hour."
        case .passkeyRefused: "The passkey's answer was not accepted."
        case .actionMissing: "The request names no action."
        }
    }

    private var status: HTTPResponse.Status {
        switch self {
        case .tokenInvalid, .tokenExpired: .unauthorized
        case .tooManyAttempts, .rateLimited: .tooManyRequests
        case .emailMismatch, .notEnrolled, .codeInvalid, .codeExpired, .passkeyRefused, .actionMissing: .badRequest
        }
    }

    func response() throws -> Response { try Self.response(rawValue, message, status) }

    /// The same refusal by another service.
    var asAPIError: APIError { APIError(status.code, APIError.Code(rawValue: rawValue), message) }

    /// A refusal of the service in the form that Authsignal's SDKs read.
    static func response(_ code: String, _ message: String, _ status: HTTPResponse.Status) throws -> Response {
        try Reply.json(["error": code, "errorCode": code, "errorDescription": message], status: status)
    }
}

/// A refusal by the relying party or the gateway, in the service's form.
struct AuthsignalRefusal: ServiceRefusal {
    let error: APIError

    func response() throws -> Response {
        var response = try AuthsignalError.response(
            error.code.rawValue, error.message, HTTPResponse.Status(code: error.status))
        response.headers.append(contentsOf: error.headers)
        return response
    }
}
