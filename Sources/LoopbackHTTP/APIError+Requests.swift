internal import HTTPTypes

// What can be wrong with a request whatever it asks for.

extension APIError.Code {
    public static let hostUnexpected = APIError.Code(rawValue: "host.unexpected")
    public static let originForbidden = APIError.Code(rawValue: "origin.forbidden")
    public static let routeNotFound = APIError.Code(rawValue: "route.notFound")
    public static let methodNotAllowed = APIError.Code(rawValue: "method.notAllowed")
    public static let contentTypeUnsupported = APIError.Code(rawValue: "contentType.unsupported")
    public static let bodyTooLarge = APIError.Code(rawValue: "body.tooLarge")
    public static let bodyUnreadable = APIError.Code(rawValue: "body.unreadable")
    public static let jsonMalformed = APIError.Code(rawValue: "json.malformed")
    public static let jsonInvalidMember = APIError.Code(rawValue: "json.invalidMember")
    public static let base64URLMalformed = APIError.Code(rawValue: "base64url.malformed")
    public static let internalError = APIError.Code(rawValue: "internal")
}

extension APIError {
    public static let hostUnexpected = APIError(
        421, .hostUnexpected, "This server answers only to a loopback host name.")
    public static let routeNotFound = APIError(404, .routeNotFound, "There is no such endpoint.")
    public static let contentTypeUnsupported = APIError(
        415, .contentTypeUnsupported, "The body must be application/json.")
    public static let bodyUnreadable = APIError(
        400, .bodyUnreadable, "The body does not come as HTTP/1.1 transfers one.")
    public static let internalError = APIError(500, .internalError, "The server failed; its log says how.")

    public static func originForbidden(_ origin: String) -> APIError {
        APIError(403, .originForbidden, "Requests from the origin “\(origin)” are not allowed.")
    }

    public static func methodNotAllowed(_ method: String, allowed: String) -> APIError {
        APIError(
            405, .methodNotAllowed, "This endpoint answers \(allowed), not \(method).", headers: [.allow: allowed])
    }

    public static func bodyTooLarge(limit: Int) -> APIError {
        APIError(413, .bodyTooLarge, "The body is larger than \(limit) bytes.")
    }

    public static func jsonMalformed(_ problem: String) -> APIError {
        APIError(400, .jsonMalformed, "The body is not JSON: \(problem).")
    }

    public static func jsonInvalidMember(_ path: String, _ problem: String) -> APIError {
        let place = path.isEmpty ? "The body" : "The member “\(path)”"
        return APIError(400, .jsonInvalidMember, "\(place) \(problem).")
    }

    public static func base64URLMalformed(_ path: String) -> APIError {
        APIError(400, .base64URLMalformed, "“\(path)” is not unpadded base64url.")
    }
}
