internal import Foundation
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer
internal import Synchronization
internal import WebAuthn

/// The login at a provider that begins on the sign-in page and ends in a session of the relying party's site.
///
/// The server keeps the attempt. A cookie ties it to its browser, so that no other browser ends it (RFC 9700 §4.7).
struct WebLogin: Sendable {
    let site: RelyingPartySite
    let gateway: Gateway
    let attempts: WebLoginAttempts

    private static let cookie = "touchstone_login"

    private var now: Duration { site.configuration.clock() }

    private static func path(of provider: OpenIDProviderName) -> String {
        "\(LoopbackServices.firstPage)/\(provider.rawValue)"
    }

    /// The redirect URIs of the site at a provider; each provider has one of its own, so that no provider gets another's code (RFC 9700 §4.4.2).
    static func redirectURIs(of provider: OpenIDProviderName, at site: RelyingPartySite) -> [String] {
        ([site.baseURL] + site.origins).map { "\($0)\(path(of: provider))/callback" }
    }

    func add(to routes: inout RouteTable) {
        for provider in OpenIDProviderName.allCases {
            routes.add(.get, Self.path(of: provider)) { request, _ in try begin(provider, request) }
            routes.add(.get, Self.path(of: provider) + "/callback") { request, _ in try await end(provider, request) }
        }
    }

    private func begin(_ provider: OpenIDProviderName, _ request: Request) throws -> Response {
        func random(_ count: Int) -> String { Base64URL.encode(site.configuration.random(count)) }
        let asked = try FormFields(queryOf: request)["for"]
        // The provider leads back to the origin of the page.
        let host = request.head.authority ?? ""
        let redirectURIs = Self.redirectURIs(of: provider, at: site)
        let attempt = WebLoginAttempts.Attempt(
            provider: provider, verifier: random(32), nonce: random(16),
            redirectURI: redirectURIs.first { $0.contains("://\(host)/") } ?? redirectURIs[0],
            page: asked == "step-up" ? "/step-up" : "/passkeys", startedAt: now)
        let state = random(16)
        attempts.keep(attempt, as: state, at: now)
        var target = URLComponents()
        target.path = provider.paths.authorization
        target.queryItems = [
            ("client_id", gateway.app.clientID), ("code_challenge", CodeVerifier.challenge(of: attempt.verifier)),
            ("code_challenge_method", "S256"), ("nonce", attempt.nonce), ("redirect_uri", attempt.redirectURI),
            ("response_type", "code"), ("scope", provider.scopes.joined(separator: " ")), ("state", state),
        ].map { URLQueryItem(name: $0.0, value: $0.1) }
        var response = Reply.redirect(to: target.string ?? LoopbackServices.firstPage)
        response.setCookie(
            Cookie(
                name: Self.cookie, value: state, maxAge: WebLoginAttempts.lifetime, path: LoopbackServices.firstPage,
                secure: attempt.redirectURI.hasPrefix("https:"), httpOnly: true, sameSite: .lax))
        return response
    }

    private func end(_ provider: OpenIDProviderName, _ request: Request) async throws -> Response {
        let answer = try FormFields(queryOf: request)
        guard let state = answer["state"], request.cookies[Self.cookie]?.value == state,
            let attempt = attempts.take(state, at: now), attempt.provider == provider
        else { return back(.unknown, provider) }
        guard let code = answer["code"] else {
            return back(answer["error"] == "access_denied" ? .cancelled : .failed, provider)
        }
        let user: GatewayUser
        do {
            user = try await gateway.user(
                of: provider,
                ProviderLoginRequest(
                    code: code, codeVerifier: attempt.verifier, redirectURI: attempt.redirectURI, nonce: attempt.nonce))
        } catch let error as APIError {
            return back(error.status == 503 ? .unavailable : .failed, provider)
        }
        var response = Reply.redirect(to: attempt.page)
        try await site.signIn(accountID: user.accountID, in: &response, to: request)
        return response
    }

    /// The reason that the sign-in page explains.
    private enum Problem: String { case cancelled, failed, unavailable, unknown }

    private func back(_ problem: Problem, _ provider: OpenIDProviderName) -> Response {
        Reply.redirect(to: "\(LoopbackServices.firstPage)?problem=\(problem.rawValue)&provider=\(provider.title)")
    }
}

/// The logins at providers that browsers have begun, by state.
final class WebLoginAttempts: Sendable {
    struct Attempt: Sendable {
        let provider: OpenIDProviderName
        let verifier: String
        let nonce: String
        let redirectURI: String
        /// The page that asked for the login.
        let page: String
        let startedAt: Duration

        func isOpen(at now: Duration) -> Bool { now < startedAt + .seconds(lifetime) }
    }

    /// The seconds in which a login has to end.
    static let lifetime = 600
    private static let limit = 1000
    private let attempts = Mutex<[String: Attempt]>([:])

    func keep(_ attempt: Attempt, as state: String, at now: Duration) {
        attempts.withLock { attempts in
            if attempts.count >= Self.limit { attempts = attempts.filter { $0.value.isOpen(at: now) } }
            if attempts.count >= Self.limit, let oldest = attempts.min(by: { $0.value.startedAt < $1.value.startedAt })
            {
                attempts[oldest.key] = nil
            }
            attempts[state] = attempt
        }
    }

    /// Takes an attempt, which a second answer no longer finds.
    func take(_ state: String, at now: Duration) -> Attempt? {
        attempts.withLock { $0.removeValue(forKey: state) }.flatMap { $0.isOpen(at: now) ? $0 : nil }
    }
}
