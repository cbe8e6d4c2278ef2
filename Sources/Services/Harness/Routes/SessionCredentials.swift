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

/// The session cookie.
enum SessionCookie {
    static let name = "touchstone_session"

    /// The cookie for a token; scripts cannot read it, and other sites' forms do not send it.
    static func carrying(_ token: String, lifetime: Duration) -> Cookie {
        Cookie(
            name: name, value: token, maxAge: Int(clamping: lifetime.components.seconds), path: "/", httpOnly: true,
            sameSite: .lax)
    }
}
