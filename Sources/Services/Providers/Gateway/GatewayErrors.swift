internal import HTTPTypes
internal import LoopbackHTTP

// The gateway's errors; the codes of sessions and passwords are those of Supabase Auth.

extension APIError {
    static func providerUnavailable(_ provider: String) -> APIError {
        APIError(503, "provider_unavailable", "\(provider) gives no answer; use another way to log in, or try later.")
    }

    static func codeRefused(_ provider: String) -> APIError {
        APIError(400, "code_refused", "\(provider) did not accept the code; start the login again.")
    }

    static func idTokenInvalid(_ provider: String, _ problem: String) -> APIError {
        APIError(
            400, "id_token_invalid", "The ID token of \(provider) is not valid (\(problem)); start the login again.")
    }

    static func userInfoInvalid(_ provider: String) -> APIError {
        APIError(400, "userinfo_invalid", "The userinfo of \(provider) is not about this user; start the login again.")
    }

    static let grantTypeUnsupported = APIError(
        400, "unsupported_grant_type", "The grant type must be password or refresh_token.")
    static let invalidCredentials = APIError(400, "invalid_credentials", "The e-mail address or the password is wrong.")

    static func overRequestRateLimit(_ error: APIError) -> APIError {
        APIError(429, "over_request_rate_limit", error.message, headers: error.headers)
    }

    static let refreshTokenNotFound = APIError(
        400, "refresh_token_not_found", "The refresh token is unknown; log in again.")
    static let refreshTokenAlreadyUsed = APIError(
        400, "refresh_token_already_used", "The refresh token was already used, so its session has ended; log in again."
    )

    static func sessionNotFound(_ status: Int) -> APIError {
        APIError(status, "session_not_found", "The session has ended; log in again.")
    }

    static func sessionExpired(_ status: Int) -> APIError {
        APIError(
            status, "session_expired",
            status == 401
                ? "The access token has expired; refresh the session." : "The session has expired; log in again.")
    }

    static let roleNotPermitted = APIError(
        403, "role_not_permitted", "The user's role does not permit this; load home again, where the role of today is.")
    static let memberSystemUnavailable = APIError(
        503, "member_system_unavailable", "The organisation's member system gives no answer; try again later.")

    static let noAuthorization = APIError(
        401, "no_authorization", "The request has no access token; send it as a bearer token.")
    static let badJWT = APIError(401, "bad_jwt", "The access token is not valid; log in again.")
    static let customAuthRequired = APIError(
        400, "custom_auth_required",
        "The access token is not of a new custom authentication, or was already exchanged; sign in again.")
    static let idempotencyKeyMissing = APIError(
        400, "idempotency_key_missing", "The request needs an Idempotency-Key of 1 to 128 characters.")
    static let idempotencyKeyReused = APIError(
        422, "idempotency_key_reused", "The Idempotency-Key belongs to another request; use a new one.")
    static let logoutScopeInvalid = APIError(400, "scope_invalid", "The scope must be local, global or others.")
}
