internal import HTTPTypes
internal import Hummingbird

/// Lets pages of allowed origins read every answer, errors included (Fetch §3.2.2).
struct OriginSharing<Context: RequestContext>: RouterMiddleware {
    let allowedOrigins: Set<String>

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if let origin = request.headers[.origin], allowedOrigins.contains(origin) {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.vary] = "Origin"
        }
        return response
    }
}
