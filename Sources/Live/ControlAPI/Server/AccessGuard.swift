internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP

/// Admits only requests from this computer that carry a token which permits them.
struct AccessGuard<Context: RequestContext>: RouterMiddleware {
    let tokens: AccessTokens
    let allowedOrigins: Set<String>
    let methods: Set<HTTPRequest.Method>
    let port: ListeningPort

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        // The Host header reveals DNS rebinding, in which a page's own name resolves to this computer.
        let authority = try Loopback.authority(of: request)
        guard let port = port.number, Loopback.isHost(ofAuthority: authority) else { throw APIError.hostUnexpected }
        guard Loopback.isHost(ofAuthority: authority, port: port) else { throw APIError.portUnexpected(port) }
        let source = RequestSource(request.headers)
        let origin = source.origin
        let grant = grant(request)
        let isPanelFile = PanelFiles.include(request)
        // A request can do harm even if the page cannot read its answer, so no method is exempt.
        if let origin, !allowedOrigins.contains(origin) {
            let own = authority.map { "http://\($0)" }
            // Browsers state the origin when a page loads a module, too. A panel whose token has ended gets 401.
            guard isPanelFile && origin == own || grant?.admits(origin, own: own) ?? (origin == own) else {
                throw APIError.originForbidden(origin)
            }
        }
        // A link to the panel opens it; images, frames and other links of a page of another site reach nothing.
        if origin == nil, !(source.opensWindow && PanelFiles.isPage(request)) { try source.checkSite() }
        if request.method == .options, origin != nil, request.headers[.accessControlRequestMethod] != nil {
            return preflight
        }
        // The panel's files hold no secret, and a browser opens them without a token.
        if isPanelFile { return try await next(request, context) }
        guard let grant else {
            let isWebDriver = request.isWebDriver
            throw request.credentials == nil
                ? APIError.tokenMissing(isWebDriver: isWebDriver) : .tokenWrong(isWebDriver: isWebDriver)
        }
        guard grant.permits(request.method, request.uri.path) else { throw APIError.tokenLimited }
        return try await next(request, context)
    }

    private func grant(_ request: Request) -> AccessTokens.Grant? {
        switch request.credentials {
        case .bearer(let text): tokens.grant(of: text)
        // WebDriver clients send the credentials of their URL as user name and password.
        case .basic(_, let password) where request.isWebDriver: tokens.grant(of: password)
        default: nil
        }
    }

    private var preflight: Response {
        var response = Reply.noContent()
        response.headers[.accessControlAllowMethods] = methods.map(\.rawValue).sorted().joined(separator: ", ")
        response.headers[.accessControlAllowHeaders] = "Authorization, Content-Type, Last-Event-ID"
        return response
    }
}

extension Request {
    var isWebDriver: Bool {
        let path = uri.path
        return path == "/status" || path == "/session" || path.hasPrefix("/session/")
    }
}
