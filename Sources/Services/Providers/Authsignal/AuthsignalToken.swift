internal import JWTKit
internal import RelyingPartyServer

/// A short-lived token of the Authsignal-like service.
struct AuthsignalToken: JWTPayload {
    enum Purpose: String, Codable, Sendable {
        /// Lets its holder enrol an e-mail address and answer its challenge.
        case start
        /// Proves a completed challenge.
        case result
    }

    let jti: String
    let sub: String
    let purpose: Purpose
    let action: String?
    /// The passkey that the challenge was completed with, in base64url.
    let passkey: String?
    let isUserVerified: Bool?
    let iat: Int
    let exp: Int

    // The service that reads the token judges its times by its own clock.
    func verify(using key: some JWTAlgorithm) {}
}

/// Issues and reads the tokens.
struct AuthsignalTokens: Sendable {
    let site: RelyingPartySite
    let conditions: ServiceConditions
    let secret: ServiceSecret

    enum Problem: Error {
        case invalid, expired
    }

    private var now: Int { Int(site.configuration.clock().components.seconds) }

    func issue(
        _ purpose: AuthsignalToken.Purpose, to username: String, identifier: String, action: String? = nil,
        passkey: String? = nil, isUserVerified: Bool? = nil
    ) async throws -> String {
        let lifetime = Int(conditions.current.authsignal.tokenLifetime.components.seconds)
        return try await secret.keys(of: site).sign(
            AuthsignalToken(
                jti: identifier, sub: username, purpose: purpose, action: action, passkey: passkey,
                isUserVerified: isUserVerified, iat: now, exp: now + lifetime))
    }

    func read(_ text: String, _ purpose: AuthsignalToken.Purpose) async throws -> AuthsignalToken {
        guard let token = try? await secret.keys(of: site).verify(text, as: AuthsignalToken.self),
            token.purpose == purpose
        else { throw Problem.invalid }
        guard now < token.exp else { throw Problem.expired }
        return token
    }
}

/// The Authsignal-like service's settings that a test changes.
package struct AuthsignalSettings: Hashable, Sendable {
    package var tokenLifetime = Duration.seconds(600)

    package init() {}
}
