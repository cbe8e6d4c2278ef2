internal import HTTPTypes

// Errors common to all endpoints.

extension APIError.Code {
    package static let hostUnexpected = APIError.Code(rawValue: "host.unexpected")
    package static let originForbidden = APIError.Code(rawValue: "origin.forbidden")
    package static let routeNotFound = APIError.Code(rawValue: "route.notFound")
    package static let methodNotAllowed = APIError.Code(rawValue: "method.notAllowed")
    package static let contentTypeUnsupported = APIError.Code(rawValue: "contentType.unsupported")
    package static let bodyTooLarge = APIError.Code(rawValue: "body.tooLarge")
    package static let bodyUnreadable = APIError.Code(rawValue: "body.unreadable")
    package static let jsonMalformed = APIError.Code(rawValue: "json.malformed")
    package static let jsonInvalidMember = APIError.Code(rawValue: "json.invalidMember")
    package static let base64URLMalformed = APIError.Code(rawValue: "base64url.malformed")
    package static let internalError = APIError.Code(rawValue: "internal")
}

extension APIError {
    package static let hostUnexpected = APIError(
        421, .hostUnexpected, "This server answers only to a loopback host name.")
    package static let routeNotFound = APIError(404, .routeNotFound, "This endpoint does not exist.")
    package static let contentTypeUnsupported = APIError(
        415, .contentTypeUnsupported, "The body must be application/json.")
    package static let bodyUnreadable = APIError(
        400, .bodyUnreadable, "The body is not a valid HTTP/1.1 transfer.")
    package static let internalError = APIError(500, .internalError, "The server failed; see its log.")

    package static func originForbidden(_ origin: String) -> APIError {
        APIError(403, .originForbidden, "Requests from the origin “\(origin)” are not allowed.")
    }

    package static func methodNotAllowed(_ method: String, allowed: String) -> APIError {
        APIError(
            405, .methodNotAllowed, "This endpoint answers \(allowed), not \(method).", headers: [.allow: allowed])
    }

    package static func bodyTooLarge(limit: Int) -> APIError {
        APIError(413, .bodyTooLarge, "The body is larger than \(limit) bytes.")
    }

    package static func jsonMalformed(_ problem: String) -> APIError {
        APIError(400, .jsonMalformed, "The body is not JSON: \(problem).")
    }

    package static func jsonInvalidMember(_ path: String, _ problem: String) -> APIError {
        let place = path.isEmpty ? "The body" : "The member “\(path)”"
        return APIError(400, .jsonInvalidMember, "\(place) \(problem).")
    }

    package static func base64URLMalformed(_ path: String) -> APIError {
        APIError(400, .base64URLMalformed, "“\(path)” is not unpadded base64url.")
    }
}
