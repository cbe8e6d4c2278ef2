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
        let isSafe = [.get, .head, .options].contains(request.method)
        if !isSafe, let origin = request.headers[.origin], !origins.all.contains(origin) {
            throw APIError.originForbidden(origin)
        }
        if request.method == .options, request.headers[.accessControlRequestMethod] != nil,
            let origin = request.headers[.origin], origins.all.contains(origin)
        {
            var response = Reply.noContent()
            response.headers[.accessControlAllowMethods] = "GET, POST, PUT, PATCH, DELETE"
            response.headers[.accessControlAllowHeaders] = "Authorization, Content-Type"
            response.headers[.accessControlMaxAge] = "600"
            return response
        }
        return try await next(request, context)
    }
}
