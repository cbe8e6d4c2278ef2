internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// An error of OAuth 2.0 (RFC 6749 §4.1.2.1 and §5.2).
struct OAuthError: ServiceRefusal {
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case invalidToken = "invalid_token"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
        case accessDenied = "access_denied"
        case serverError = "server_error"
    }

    let code: Code
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    private var status: HTTPResponse.Status {
        switch code {
        case .invalidClient, .invalidToken: .unauthorized
        case .accessDenied: .forbidden
        case .serverError: .internalServerError
        case .invalidRequest, .invalidGrant, .invalidScope, .unsupportedGrantType, .unsupportedResponseType: .badRequest
        }
    }

    func response() throws -> Response {
        var response = try Reply.json(["error": code.rawValue, "error_description": description], status: status)
        if code == .invalidToken { response.headers[.wwwAuthenticate] = #"Bearer error="invalid_token""# }
        return response
    }
}
