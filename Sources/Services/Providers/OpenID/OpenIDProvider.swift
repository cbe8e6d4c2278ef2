internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer
internal import WebAuthn

/// An OpenID provider: authorization code flow with PKCE, ID tokens in RS256, userinfo (OpenID Connect Core 1.0).
struct OpenIDProvider: Sendable {
    let name: OpenIDProviderName
    let site: RelyingPartySite
    let app: AppRegistration
    let conditions: ServiceConditions
    let grants: OpenIDGrants
    let pages: PageLibrary

    var settings: OpenIDProviderSettings { conditions.current[name] }

    /// Whether the provider has a fault where the fault changes its answer.
    func has(_ fault: OpenIDFault) -> Bool {
        guard settings.fault == fault else { return false }
        conditions.note(.fault(name))
        return true
    }

    /// The place of the personnummer, for an answer that depends on it.
    var nationalIDPlace: NationalIDPlace {
        conditions.note(.nationalID(name))
        return settings.nationalID ?? name.nationalIDPlace
    }

    var now: Duration { site.configuration.clock() }
    var issuer: String { site.baseURL + name.paths.issuer }

    /// The names of the endpoints in the journal.
    enum Endpoint: String, CaseIterable {
        case discovery, keys, authorize, decision, token, userinfo
    }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        func handler(_ endpoint: Endpoint, _ handle: @escaping RouteTable.Handler) -> RouteTable.Handler {
            door.handler(name.service, endpoint.rawValue, handle)
        }
        let paths = name.paths
        routes.add(.get, paths.discovery, handler(.discovery) { _, _ in try SnakeCase.reply(metadata) })
        routes.add(.get, paths.keys, handler(.keys) { _, _ in try keySet() })
        routes.add(.get, paths.authorization, handler(.authorize) { request, _ in try authorize(request) })
        routes.add(.post, paths.decision, handler(.decision) { request, _ in try await decide(request) })
        routes.add(.post, paths.token, handler(.token) { request, _ in try await token(request) })
        routes.add(.get, paths.userInfo, handler(.userinfo) { request, _ in try userInfo(request) })
        routes.add(.post, paths.userInfo, handler(.userinfo) { request, _ in try userInfo(request) })
    }

    func newIdentifier() -> String { Base64URL.encode(site.configuration.random(24)) }
}

/// The provider's metadata (OpenID Connect Discovery 1.0 §3).
private struct OpenIDMetadata: Encodable {
    let issuer: String
    let authorizationEndpoint: String
    let tokenEndpoint: String
    let userinfoEndpoint: String
    let jwksUri: String
    let scopesSupported: [String]
    let responseTypesSupported = ["code"]
    let grantTypesSupported = ["authorization_code"]
    let subjectTypesSupported = ["pairwise"]
    let idTokenSigningAlgValuesSupported = ["RS256"]
    let tokenEndpointAuthMethodsSupported = ["none"]
    let codeChallengeMethodsSupported = ["S256"]
    let claimsSupported = [
        "sub", "name", "given_name", "family_name", "birthdate", "nonce", "auth_time", "acr", "amr",
    ]
}

extension OpenIDProvider {
    private var metadata: OpenIDMetadata {
        let (base, paths) = (site.baseURL, name.paths)
        return OpenIDMetadata(
            issuer: issuer, authorizationEndpoint: base + paths.authorization, tokenEndpoint: base + paths.token,
            userinfoEndpoint: base + paths.userInfo, jwksUri: base + paths.keys, scopesSupported: name.scopes)
    }
}
