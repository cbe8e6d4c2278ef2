internal import HTTPTypes
internal import Wording

// Errors common to all endpoints.

extension APIError {
    package static let hostUnexpected = APIError(
        421, "host.unexpected", "This server answers only to a loopback host name; use localhost.")
    package static let hostRepeated = APIError(400, "host.repeated", "The request must have one Host header.")
    package static let routeNotFound = APIError(404, "route.notFound", "This endpoint does not exist.")
    package static let bodyUnreadable = APIError(400, "body.unreadable", "The body is not a valid HTTP/1.1 transfer.")
    package static let internalError = APIError(500, "internal", "The server failed; see its log.")

    package static let bodyUnexpected = APIError(
        400, "body.unexpected", "This endpoint takes no body; send the request without one.")

    package static func contentTypeUnsupported(_ allowed: [String]) -> APIError {
        APIError(415, "contentType.unsupported", "The body must be \(allowed.joined(separator: " or ")).")
    }

    package static func originForbidden(_ origin: String) -> APIError {
        APIError(
            403, "origin.forbidden",
            "Requests from the origin “\(origin)” are not allowed; send them from an accepted origin.")
    }

    package static func siteForbidden(_ site: String) -> APIError {
        APIError(
            403, "site.forbidden",
            "Requests of pages of other sites (Sec-Fetch-Site: \(site)) are not allowed; send them from a program or an "
                + "accepted origin.")
    }

    package static func methodNotAllowed(_ method: String, allowed: String) -> APIError {
        APIError(
            405, "method.notAllowed", "This endpoint answers \(allowed), not \(method).", headers: [.allow: allowed])
    }

    package static func bodyTooLarge(limit: Int) -> APIError {
        APIError(413, "body.tooLarge", "The body is larger than \(limit) bytes; send a smaller one.")
    }

    package static func jsonMalformed(_ problem: String) -> APIError {
        APIError(400, "json.malformed", "The body is not JSON: \(problem).")
    }

    package static let jsonNotUTF8 = jsonMalformed("it is not UTF-8 (RFC 8259 §8.1); send it in UTF-8")

    package static func jsonRepeated(_ name: String) -> APIError {
        APIError(400, "json.repeated", "The member “\(name)” occurs twice in one object; send it once.")
    }

    package static func jsonInvalidMember(_ path: String, _ problem: String) -> APIError {
        let place = path.isEmpty ? "The body" : "The member “\(path)”"
        return APIError(400, "json.invalidMember", Wording.sentence("\(place) \(problem)"))
    }

    package static func base64URLMalformed(_ path: String) -> APIError {
        APIError(400, "base64url.malformed", "“\(path)” is not unpadded base64url.")
    }
}
