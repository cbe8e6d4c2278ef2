internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import Synchronization

/// Lets nobody near the devices but programs on this computer that know the token.
struct AccessGuard<Context: RequestContext>: RouterMiddleware {
    let token: AccessToken
    let allowedOrigins: Set<String>
    /// What the endpoints answer to.
    let methods: Set<HTTPRequest.Method>
    let port: BoundPort

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // A name that resolves to this computer only now (DNS rebinding) still shows in the Host header.
        let authority = request.head.authority
        guard let port = port.number, Loopback.isHost(ofAuthority: authority) else { throw APIError.hostUnexpected }
        guard Loopback.isHost(ofAuthority: authority, port: port) else { throw APIError.portUnexpected(port) }
        let origin = request.headers[.origin]
        // A page needs no answer to do harm, so a GET is no safer than anything else.
        if let origin, !allowedOrigins.contains(origin) { throw APIError.originForbidden(origin) }
        if request.method == .options, origin != nil, request.headers[.accessControlRequestMethod] != nil {
            return preflight
        }
        try checkToken(request)
        return try await next(request, context)
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

    private var preflight: Response {
        var response = Reply.noContent()
        response.headers[.accessControlAllowMethods] = methods.map(\.rawValue).sorted().joined(separator: ", ")
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
