internal import Foundation
internal import JWTKit
internal import LoopbackHTTP
internal import RelyingPartyServer
internal import Synchronization
internal import WebAuthn

/// The identity that a provider vouches for.
struct ProviderIdentity: Sendable {
    let provider: OpenIDProviderName
    let subject: String
    let name: String?
    let nationalID: String?
    /// The address that the provider has verified.
    let email: String?
}

/// The gateway's side of the login with a provider: it exchanges the code, and verifies the answers (OpenID Connect
/// Core §3.1.3.7).
struct OpenIDClient: Sendable {
    let provider: OpenIDProviderName
    let site: RelyingPartySite
    let clientID: String
    let cache: OpenIDKeyCache

    private var caller: ServiceCaller { ServiceCaller(site: site) }

    /// - Throws: `provider_unavailable`, `code_refused`, `id_token_invalid` or `userinfo_invalid`.
    func identity(code: String, verifier: String, redirectURI: String, nonce: String) async throws -> ProviderIdentity {
        let paths = provider.paths
        let issuer = site.baseURL + paths.issuer
        do {
            let answer = try await caller.post(
                paths.token,
                form: [
                    "grant_type": "authorization_code", "client_id": clientID, "code": code,
                    "code_verifier": verifier, "redirect_uri": redirectURI,
                ])
            guard answer.isSuccess, let tokens = try? answer.decode(Tokens.self) else {
                throw APIError.codeRefused(provider.title)
            }
            let token = try await verified(tokens.idToken, issuer: issuer, nonce: nonce)
            let info = try await caller.get(paths.userInfo, bearer: tokens.accessToken)
            guard info.isSuccess, let info = try? info.decode(UserInfo.self), info.sub == token.sub else {
                throw APIError.userInfoInvalid(provider.title)
            }
            let nationalID =
                switch provider {
                case .bankid: token.nninAltsub ?? info.nninAltsub
                case .vipps: token.nin ?? info.nin
                }
            return ProviderIdentity(
                provider: provider, subject: token.sub, name: token.name ?? info.name, nationalID: nationalID,
                email: info.emailVerified == true ? info.email : nil)
        } catch is ServiceCaller.Unavailable {
            throw APIError.providerUnavailable(provider.title)
        }
    }

    private struct Tokens: Decodable {
        let accessToken: String
        let idToken: String
    }

    private func verified(_ text: String, issuer: String, nonce: String) async throws -> IDToken {
        let token = try await signed(text)
        let now = Int(site.configuration.clock().components.seconds)
        let problem: String? =
            if token.iss != issuer {
                "another issuer"
            } else if token.aud != clientID || (token.azp ?? clientID) != clientID {
                "for another client"
            } else if token.exp <= now {
                "expired"
            } else if token.nonce != nonce {
                "another nonce"
            } else {
                nil
            }
        if let problem { throw APIError.idTokenInvalid(provider.title, problem) }
        return token
    }

    /// Verifies the signature; reads the provider's keys again when the token names an unknown one.
    private func signed(_ text: String) async throws -> IDToken {
        guard let named = text.split(separator: ".").first.flatMap(Self.keyIdentifier) else {
            throw APIError.idTokenInvalid(provider.title, "no readable header")
        }
        var keys = cache.keys
        if keys?[named] == nil {
            let answer = try await caller.get(provider.paths.keys)
            let set = try? JSONDecoder().decode(JWKS.self, from: answer.body)
            let found = (set?.keys ?? []).compactMap { key in key.keyIdentifier.map { ($0.string, key) } }
            keys = Dictionary(found) { first, _ in first }
            cache.keep(keys)
        }
        guard let key = keys?[named] else { throw APIError.idTokenInvalid(provider.title, "an unknown key") }
        do {
            let collection = SnakeCase.keys()
            // RS256 whatever the token says: its own header must not choose how it is verified.
            try await collection.add(jwk: key)
            return try await collection.verify(text, as: IDToken.self)
        } catch {
            throw APIError.idTokenInvalid(provider.title, "its signature does not verify")
        }
    }

    private static func keyIdentifier(_ header: Substring) -> String? {
        Base64URL.decode(String(header)).flatMap { try? JSONDecoder().decode(Header.self, from: Data($0)).kid }
    }

    private struct Header: Decodable {
        let kid: String
    }
}

/// A provider's keys, as the gateway last read them.
final class OpenIDKeyCache: Sendable {
    private let cached = Mutex<[String: JWK]?>(nil)

    var keys: [String: JWK]? { cached.withLock { $0 } }

    func keep(_ keys: [String: JWK]?) { cached.withLock { $0 = keys } }
}
