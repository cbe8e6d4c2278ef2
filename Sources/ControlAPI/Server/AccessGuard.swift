internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import Synchronization

/// Lets nobody near the devices but programs on this computer that know the token.
struct AccessGuard<Context: RequestContext>: RouterMiddleware {
    let token: AccessToken
    let allowedOrigins: Set<String>
    let port: BoundPort

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // A name that resolves to this computer only now (DNS rebinding) still shows in the Host header.
        guard let port = port.number, Loopback.isHost(ofAuthority: request.head.authority, port: port) else {
            throw APIError.hostUnexpected
        }
        let origin = request.headers[.origin]
        // A page needs no answer to do harm, so a GET is no safer than anything else.
        if let origin, !allowedOrigins.contains(origin) { throw APIError.originForbidden(origin) }
        if request.method == .options, let origin, request.headers[.accessControlRequestMethod] != nil {
            return Self.preflight(origin)
        }
        do {
            try checkToken(request)
            var response = try await next(request, context)
            if let origin { Self.share(&response.headers, with: origin) }
            return response
        } catch var error as APIError {
            if let origin { Self.share(&error.headers, with: origin) }
            throw error
        }
    }

    private func checkToken(_ request: Request) throws(APIError) {
        switch request.credentials {
        case .bearer(let text) where token.matches(text): return
        // WebDriver clients carry credentials in their URL, which become a user name and a password.
        case .basic(_, let password) where request.isWebDriver && token.matches(password): return
        case nil: throw .tokenMissing(isWebDriver: request.isWebDriver)
        default: throw .tokenWrong(isWebDriver: request.isWebDriver)
        }
    }

    /// Lets pages of an allowed origin read an answer (Fetch §3.2.2).
    private static func share(_ headers: inout HTTPFields, with origin: String) {
        headers[.accessControlAllowOrigin] = origin
        headers[.vary] = "Origin"
    }

    private static func preflight(_ origin: String) -> Response {
        var response = Reply.noContent()
        share(&response.headers, with: origin)
        response.headers[.accessControlAllowMethods] = "GET, POST, PATCH, DELETE"
        response.headers[.accessControlAllowHeaders] = "Authorization, Content-Type, Last-Event-ID"
        return response
    }
}

/// The port a server listens on, once it does.
final class BoundPort: Sendable {
    private let stored = Mutex<Int?>(nil)

    var number: Int? { stored.withLock { $0 } }

    func set(_ port: Int) { stored.withLock { $0 = port } }
}

extension Request {
    /// Whether the request is WebDriver's rather than the API's.
    var isWebDriver: Bool {
        let path = uri.path
        return path == "/status" || path == "/session" || path.hasPrefix("/session/")
    }
}
