internal import Hummingbird
internal import LoopbackHTTP

extension Request {
    /// The session token of a request: the bearer token, or otherwise the cookie.
    var sessionToken: SessionToken? {
        switch credentials {
        case .bearer(let token): return SessionToken(token)
        case .basic, .unreadable: return nil
        case nil: break
        }
        return cookies[SessionCookie.name].flatMap { SessionToken($0.value) }
    }
}

enum SessionCookie {
    static let name = "touchstone_session"

    /// The cookie for a token; scripts cannot read it, and other sites' forms do not send it.
    ///
    /// Browsers send it over https only, when the page that receives it is on https.
    static func carrying(_ token: String, lifetime: Duration, to request: Request, _ origins: AcceptedOrigins) -> Cookie
    {
        let page = request.headers[.origin].map { [$0] } ?? origins.all
        return Cookie(
            name: name, value: token, maxAge: Int(clamping: lifetime.components.seconds), path: "/",
            secure: page.allSatisfy { $0.hasPrefix("https:") }, httpOnly: true, sameSite: .lax)
    }
}
