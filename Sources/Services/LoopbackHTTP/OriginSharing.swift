internal import HTTPTypes
package import Hummingbird

/// Lets pages of allowed origins read every answer, errors included (Fetch §3.2.2).
package struct OriginSharing<Context: RequestContext>: RouterMiddleware {
    private let sharesCookies: Bool
    private let isAllowed: @Sendable (String) -> Bool

    /// - Parameter sharesCookies: whether a page's requests carry cookies.
    package init(sharesCookies: Bool = false, with isAllowed: @escaping @Sendable (String) -> Bool) {
        self.sharesCookies = sharesCookies
        self.isAllowed = isAllowed
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        if let origin = request.headers[.origin], isAllowed(origin) {
            response.headers[.accessControlAllowOrigin] = origin
            if sharesCookies { response.headers[.accessControlAllowCredentials] = "true" }
            response.headers[.vary] = "Origin"
        }
        return response
    }
}
