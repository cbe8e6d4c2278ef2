internal import Foundation
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer

extension OpenIDProvider {
    /// Shows the authorization page (OpenID Connect Core §3.1.2).
    ///
    /// A request with an unknown client or redirect URI is answered with an error page: a redirect would carry the
    /// answer to a stranger (RFC 6749 §4.1.2.1).
    func authorize(_ request: Request) throws -> Response {
        let query = try FormFields(queryOf: request)
        guard query["client_id"] == app.clientID, let redirectURI = query["redirect_uri"],
            ([app.redirectURI] + WebLogin.redirectURIs(of: name, at: site)).contains(redirectURI)
        else {
            return try pages.page(
                .providerProblem, status: .badRequest,
                ProviderProblem(
                    provider: name.title, title: "\(name.title) does not know this app",
                    problem: "The client or its redirect URI is not registered."))
        }
        let state = query["state"] ?? ""
        do {
            let grant = try grant(query, redirectURI: redirectURI, state: state)
            let identifier = newIdentifier()
            grants.keep(grant, as: identifier)
            return try pages.page(
                .providerLogin,
                ProviderLogin(
                    provider: name.title, title: "Log in with \(name.title)", action: name.paths.decision,
                    request: identifier, app: site.configuration.relyingPartyName,
                    scopes: grant.scopes.map { ProviderLogin.Scope(name: OpenIDProviderName.words(ofScope: $0)) },
                    residents: Resident.all.map {
                        ProviderLogin.Choice(id: $0.id, name: $0.name, isChosen: $0 == grant.resident)
                    }))
        } catch let error as OAuthError {
            return redirect(to: redirectURI, state: state, error: error)
        }
    }

    private func grant(_ query: FormFields, redirectURI: String, state: String) throws(OAuthError) -> OpenIDGrant {
        guard query["response_type"] == "code" else {
            throw OAuthError(.unsupportedResponseType, "response_type must be code")
        }
        let scopes = (query["scope"] ?? "").split(separator: " ").map(String.init)
        guard scopes.contains("openid") else { throw OAuthError(.invalidScope, "scope must contain openid") }
        guard state.count >= name.minimumStateLength else {
            throw OAuthError(.invalidRequest, "state must have at least \(name.minimumStateLength) characters")
        }
        guard query["code_challenge_method"] == "S256" else {
            throw OAuthError(.invalidRequest, "code_challenge_method must be S256")
        }
        guard let challenge = query["code_challenge"], challenge.count == 43,
            challenge.allSatisfy(CodeVerifier.isBase64URL)
        else { throw OAuthError(.invalidRequest, "code_challenge must be 43 characters of base64url") }
        let dropped = nationalIDPlace == .droppedScope ? OpenIDProviderName.nationalIDScope(of: name) : nil
        conditions.note(.resident(name))
        return OpenIDGrant(
            redirectURI: redirectURI, state: state, nonce: query["nonce"], codeChallenge: challenge,
            scopes: scopes.filter { name.scopes.contains($0) && $0 != dropped }, resident: settings.resident)
    }

    /// Takes the user's decision, and sends the browser back to the app.
    func decide(_ request: Request) async throws -> Response {
        let form = try await FormFields.read(of: request)
        guard let identifier = form["request"], var grant = grants.take(identifier) else {
            throw OAuthError(.invalidRequest, "the request is unknown, or its user has already decided")
        }
        guard let decision = form["decision"].flatMap(Decision.init) else {
            throw OAuthError(.invalidRequest, "decision must be approve or cancel")
        }
        if let chosen = form["resident"].flatMap(Resident.init(id:)) { grant.resident = chosen }
        if has(.noCallback) {
            return try pages.page(
                .providerProblem,
                ProviderProblem(
                    provider: name.title, title: "You can close this window",
                    problem: "\(name.title) has your answer. Go back to the app."))
        }
        if has(.serverError) {
            return redirect(
                to: grant.redirectURI, state: grant.state, error: OAuthError(.serverError, "the provider has failed"))
        }
        guard decision == .approve, !has(.cancel) else {
            return redirect(
                to: grant.redirectURI, state: grant.state,
                error: OAuthError(.accessDenied, name == .bankid ? "bankid_error_codes:C301" : "the user cancelled"))
        }
        grant.decidedAt = has(.expiredCode) ? now - OpenIDGrant.codeLifetime : now
        if has(.usedCode) { grant.accessToken = newIdentifier() }
        if has(.otherChallenge) { grant.codeChallenge = CodeVerifier.challenge(of: newIdentifier()) }
        let code = newIdentifier()
        let state = has(.wrongState) ? newIdentifier() : grant.state
        grants.issue(grant, as: code)
        return redirect(to: grant.redirectURI, ["code": code, "state": state])
    }

    private enum Decision: String { case approve, cancel }

    private func redirect(to uri: String, state: String, error: OAuthError) -> Response {
        redirect(to: uri, ["error": error.code.rawValue, "error_description": error.description, "state": state])
    }

    private func redirect(to uri: String, _ parameters: KeyValuePairs<String, String>) -> Response {
        let added = parameters.filter { !$0.value.isEmpty }.map { URLQueryItem(name: $0.key, value: $0.value) }
        var target = URLComponents(string: uri)
        let stated = target?.queryItems ?? []
        target?.queryItems = stated + added
        return Reply.redirect(to: target?.string ?? uri)
    }
}
