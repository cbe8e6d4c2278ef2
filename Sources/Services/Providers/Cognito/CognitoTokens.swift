internal import Foundation
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The tokens of the Cognito-like service: their refresh, their user and their end.
struct CognitoTokens: Sendable {
    let gateway: Gateway
    let issuer: String

    private struct AccessBody: Decodable, Sendable {
        let accessToken: String

        enum CodingKeys: String, CodingKey {
            case accessToken = "AccessToken"
        }
    }

    private struct RefreshBody: Decodable, Sendable {
        let refreshToken: String

        enum CodingKeys: String, CodingKey {
            case refreshToken = "RefreshToken"
        }
    }

    private struct RevokeBody: Decodable, Sendable {
        let token: String

        enum CodingKeys: String, CodingKey {
            case token = "Token"
        }
    }

    /// - Throws: `DecodingError` for a missing member.
    func perform(_ operation: Cognito.Operation, _ bytes: [UInt8]) async throws -> Response {
        let data = Data(bytes)
        switch operation {
        case .getTokensFromRefreshToken:
            return try await refresh(try JSONDecoder().decode(RefreshBody.self, from: data).refreshToken, rotates: true)
        case .getUser:
            let caller = try await caller(try JSONDecoder().decode(AccessBody.self, from: data).accessToken)
            return try Reply.json(UserReply(try await gateway.current(caller.user)))
        case .globalSignOut:
            let caller = try await caller(try JSONDecoder().decode(AccessBody.self, from: data).accessToken)
            try await gateway.logout(caller, .global)
        case .revokeToken: try await gateway.revoke(try JSONDecoder().decode(RevokeBody.self, from: data).token)
        case .signUp, .confirmSignUp, .initiateAuth, .respondToAuthChallenge: break
        }
        return try Reply.json([String: String]())
    }

    /// - Parameter rotates: whether the client gets another refresh token, as from GetTokensFromRefreshToken.
    func refresh(_ token: String, rotates: Bool) async throws -> Response {
        let session: SessionAnswer
        do {
            session = try await gateway.refresh(token, rotates: rotates)
        } catch let error as APIError {
            throw CognitoError(.notAuthorized, Self.message(ofRefresh: error))
        }
        let user = try await caller(session.accessToken).user
        return try await reply(session, to: user, givesRefreshToken: rotates)
    }

    private static func message(ofRefresh error: APIError) -> String {
        switch error {
        case .sessionExpired(400): "Refresh Token has expired"
        case .refreshTokenAlreadyUsed, .sessionNotFound(400): "Refresh Token has been revoked"
        default: "Invalid Refresh Token"
        }
    }

    private func caller(_ accessToken: String) async throws -> GatewayCaller {
        do {
            return try await gateway.caller(accessToken)
        } catch let error as APIError {
            switch error {
            case .sessionExpired(401): throw CognitoError(.notAuthorized, "Access Token has expired")
            case .sessionNotFound(401): throw CognitoError(.notAuthorized, "Access Token has been revoked")
            default: throw CognitoError(.notAuthorized, "Invalid Access Token")
            }
        }
    }

    /// The tokens of a session as `AuthenticationResult`.
    func reply(_ session: SessionAnswer, to user: GatewayUser, givesRefreshToken: Bool = true) async throws -> Response
    {
        let idToken = try await CognitoIDToken(
            of: user, issuer: issuer, client: gateway.app.clientID, identifier: gateway.newIdentifier(),
            now: gateway.site.configuration.clock()
        ).signed()
        let answer = AuthenticationAnswer(
            session: session, idToken: idToken, refreshToken: givesRefreshToken ? session.refreshToken : nil)
        return try Reply.json(["AuthenticationResult": answer])
    }

    private struct AuthenticationAnswer: Encodable {
        let session: SessionAnswer
        let idToken: String
        let refreshToken: String?

        enum CodingKeys: String, CodingKey {
            case accessToken = "AccessToken"
            case idToken = "IdToken"
            case refreshToken = "RefreshToken"
            case expiresIn = "ExpiresIn"
            case tokenType = "TokenType"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(session.accessToken, forKey: .accessToken)
            try container.encode(idToken, forKey: .idToken)
            try container.encodeIfPresent(refreshToken, forKey: .refreshToken)
            try container.encode(session.expiresIn, forKey: .expiresIn)
            try container.encode("Bearer", forKey: .tokenType)
        }
    }

    private struct UserReply: Encodable {
        struct Attribute: Encodable {
            let name: String
            let value: String

            enum CodingKeys: String, CodingKey {
                case name = "Name"
                case value = "Value"
            }
        }

        let username: String
        let attributes: [Attribute]

        enum CodingKeys: String, CodingKey {
            case username = "Username"
            case attributes = "UserAttributes"
        }

        init(_ user: GatewayUser) {
            username = user.email
            attributes = [
                Attribute(name: "sub", value: user.id), Attribute(name: "email", value: user.email),
                Attribute(name: "email_verified", value: user.emailVerified ? "true" : "false"),
                Attribute(name: "name", value: user.name),
            ]
        }
    }
}
