internal import HTTPTypes
internal import Hummingbird

/// Refuses requests that other sites make a browser send.
struct SiteGuard<Context: RequestContext>: RouterMiddleware {
    let origins: AcceptedOrigins
    let isLoopback: Bool

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // A name that resolves to this computer only now (DNS rebinding) still shows in the Host header.
        if isLoopback, !Loopback.isHost(ofAuthority: request.head.authority) { throw APIError.hostUnexpected }
        let isSafe = [.get, .head, .options].contains(request.method)
        if !isSafe, let origin = request.headers[.origin], !origins.all.contains(origin) {
            throw APIError.originForbidden(origin)
        }
        return try await next(request, context)
    }
}

/// The names of this computer's loopback interface.
enum Loopback {
    private static let hosts: Set = ["localhost", "127.0.0.1", "::1", "[::1]"]

    static func isHost(_ host: String) -> Bool {
        hosts.contains(host.lowercased())
    }

    /// Whether `HOST` or `HOST:PORT` names it; an IPv6 address stands in brackets.
    static func isHost(ofAuthority authority: String?) -> Bool {
        guard let authority else { return false }
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return isHost(String(authority[...end]))
        }
        return isHost(String(authority.prefix { $0 != ":" }))
    }
}
