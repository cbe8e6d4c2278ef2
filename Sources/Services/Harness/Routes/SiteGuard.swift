internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// Refuses cross-site requests.
struct SiteGuard<Context: RequestContext>: RouterMiddleware {
    let origins: AcceptedOrigins
    let isLoopback: Bool

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // After DNS rebinding, the Host header still contains the attacker's name.
        if isLoopback, !Loopback.isHost(ofAuthority: request.head.authority) { throw APIError.hostUnexpected }
        let isSafe = [.get, .head, .options].contains(request.method)
        if !isSafe, let origin = request.headers[.origin], !origins.all.contains(origin) {
            throw APIError.originForbidden(origin)
        }
        return try await next(request, context)
    }
}
