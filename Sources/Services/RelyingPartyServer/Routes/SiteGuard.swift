internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// Refuses cross-site requests, and answers the preflights of accepted origins.
struct SiteGuard<Context: RequestContext>: RouterMiddleware {
    let origins: AcceptedOrigins
    let isLoopback: Bool

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let authority = try Loopback.authority(of: request)
        // After DNS rebinding, the Host header still contains the attacker's name.
        if isLoopback, !Loopback.isHost(ofAuthority: authority) { throw APIError.hostUnexpected }
        let source = RequestSource(request.headers)
        let isOfAcceptedOrigin = source.origin.map { origins.all.contains($0) } ?? false
        let isReading = request.method == .get || request.method == .head
        if !isOfAcceptedOrigin {
            if let origin = source.origin, !isReading, request.method != .options {
                throw APIError.originForbidden(origin)
            }
            // Links lead to the site and back from providers, and documents about the site are for every page.
            if !(isReading && (source.opensWindow || Self.isPublic(request.uri.path))) { try source.checkSite() }
        }
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil, isOfAcceptedOrigin {
            var response = Reply.noContent()
            response.headers[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE"
            response.headers[.accessControlAllowHeaders] = "Authorization, Content-Type"
            response.headers[.accessControlMaxAge] = "600"
            return response
        }
        return try await next(request, context)
    }

    /// Whether a path is that of a public document (RFC 8615), such as related origins or a provider's keys.
    private static func isPublic(_ path: String) -> Bool { path.contains("/.well-known/") }
}
