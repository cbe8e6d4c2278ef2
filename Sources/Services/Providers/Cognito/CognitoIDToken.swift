internal import Foundation
internal import Hummingbird
internal import JWTKit
internal import LoopbackHTTP

/// The claims of an ID token of the Cognito-like service, signed with RS256 by a key that it publishes.
struct CognitoIDToken: JWTPayload {
    let iss: String
    let sub: String
    let aud: String
    let iat: Int
    let exp: Int
    let authTime: Int
    let jti: String
    let username: String
    let email: String
    let emailVerified: Bool
    let name: String
    let tokenUse: String

    enum CodingKeys: String, CodingKey {
        case iss, sub, aud, iat, exp, jti, email, name
        case authTime = "auth_time"
        case username = "cognito:username"
        case emailVerified = "email_verified"
        case tokenUse = "token_use"
    }

    init(of user: GatewayUser, issuer: String, client: String, identifier: String, now: Duration) {
        let now = Int(now.components.seconds)
        (iss, sub, aud, jti) = (issuer, user.id, client, identifier)
        (iat, exp, authTime) = (now, now + 3600, now)
        (username, email, emailVerified) = (user.email, user.email, user.emailVerified)
        (name, tokenUse) = (user.name, "id")
    }

    // The client that reads the token judges its times by its own clock.
    func verify(using key: some JWTAlgorithm) {}

    /// The same claims give the same bytes.
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    private static var key: SigningKey { get throws { try .named("cognito 1") } }

    static func keySet() throws -> Response { try Reply.json(["keys": [try key.webKey()]]) }

    func signed() async throws -> String {
        let key = try Self.key
        let identifier = JWKIdentifier(string: key.identifier)
        let keys = JWTKeyCollection(defaultJWTSerializer: DefaultJWTSerializer(jsonEncoder: Self.encoder))
        await keys.add(rsa: key.key, digestAlgorithm: .sha256, kid: identifier)
        return try await keys.sign(self, kid: identifier)
    }
}

/// The Cognito-like service's settings that a test changes.
package struct CognitoSettings: Hashable, Sendable {
    /// Whether an unknown user gets a challenge that no answer solves, as with `PreventUserExistenceErrors`; else
    /// `UserNotFoundException`, on which an app signs the user up.
    package var hidesUnknownUsers = false

    package init() {}
}
