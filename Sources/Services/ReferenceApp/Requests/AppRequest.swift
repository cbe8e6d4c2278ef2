internal import Foundation

/// A request of the app to one of its services.
package enum AppRequest: Hashable, Sendable {
    case providerLogin(Provider, code: String, verifier: String, nonce: String)
    case passwordLogin(email: String, password: String)
    case recover(email: String)
    case verifyRecovery(email: String, code: String)
    case setPassword(String, accessToken: String)
    case stepUp(StepUpProof, accessToken: String)
    case refresh(token: String)
    case logOut(accessToken: String, refreshToken: String)
    /// Ends a session whose logout did not reach the server.
    case revoke(refreshToken: String)
    case home(accessToken: String)
    case people(accessToken: String)
    case personalData(accessToken: String)
    case activity(AppPreferences.QueuedActivity, accessToken: String)
    case expenseClaim(amount: Int, key: String, accessToken: String)
    case signUp(email: String, password: String)
    case startCustomAuth(email: String)
    case answerCustomAuth(email: String, session: String, answer: String)
    case customAuthLogin(accessToken: String)
    case sendCode(email: String, token: String)
    case verifyCode(code: String, token: String)
    case beginPasskeySignIn(isConditional: Bool)
    case completePasskeySignIn(challenge: String, response: String)
    case beginPasskeyRegistration(accessToken: String)
    case completePasskeyRegistration(challenge: String, response: String, accessToken: String)
    case listPasskeys(accessToken: String)
    case beginPasskeyRemoval
    case completePasskeyRemoval(challenge: String, response: String)
    case deletePasskey(id: String, token: String)

    /// The address to which providers send the user back: a universal link of the app.
    package static let redirectURI = "https://app.touchstone.example/callback"
    package static let clientID = "touchstone-app"
    private static let signal = "/authsignal/v1/client"

    package var method: String {
        switch self {
        case .home, .people, .personalData, .listPasskeys: "GET"
        case .deletePasskey: "DELETE"
        case .setPassword: "PUT"
        default: "POST"
        }
    }

    /// The path with its query.
    package var path: String {
        switch self {
        case .providerLogin(let provider, _, _, _): "/gateway/v1/login/\(provider.rawValue)"
        case .passwordLogin: "/gateway/v1/token?grant_type=password"
        case .recover: "/gateway/v1/recover"
        case .verifyRecovery: "/gateway/v1/verify"
        case .setPassword: "/gateway/v1/user"
        case .stepUp: "/gateway/v1/step-up"
        case .refresh: "/gateway/v1/token?grant_type=refresh_token"
        case .logOut: "/gateway/v1/logout?scope=local"
        case .revoke: "/gateway/v1/revoke"
        case .home: "/gateway/v1/home"
        case .people: "/gateway/v1/people"
        case .personalData: "/gateway/v1/personal-data"
        case .activity: "/gateway/v1/activities"
        case .expenseClaim: "/gateway/v1/expense-claims"
        case .signUp, .startCustomAuth, .answerCustomAuth: "/cognito/"
        case .customAuthLogin: "/gateway/v1/login/cognito"
        case .sendCode: Self.signal + "/user-authenticators/email-otp"
        case .verifyCode: Self.signal + "/verify/email-otp"
        case .beginPasskeySignIn, .beginPasskeyRemoval:
            Self.signal + "/user-authenticators/passkey/authentication-options"
        case .completePasskeySignIn, .completePasskeyRemoval: Self.signal + "/verify/passkey"
        case .beginPasskeyRegistration: Self.signal + "/user-authenticators/passkey/registration-options"
        case .completePasskeyRegistration: Self.signal + "/user-authenticators/passkey"
        case .listPasskeys: Self.signal + "/user-authenticators"
        case .deletePasskey(let id, _): Self.signal + "/user-authenticators/\(id)"
        }
    }

    package var bearer: String? {
        switch self {
        case .logOut(let token, _), .home(let token), .people(let token), .personalData(let token),
            .activity(_, let token),
            .expenseClaim(_, _, let token), .stepUp(_, let token), .setPassword(_, let token), .sendCode(_, let token),
            .verifyCode(_, let token),
            .beginPasskeyRegistration(let token), .completePasskeyRegistration(_, _, let token),
            .listPasskeys(let token),
            .deletePasskey(_, let token):
            token
        default: nil
        }
    }

    package var headers: [String: String] {
        switch self {
        case .activity(let activity, _): ["Idempotency-Key": activity.key]
        case .expenseClaim(_, let key, _): ["Idempotency-Key": key]
        case .signUp: target("SignUp")
        case .startCustomAuth: target("InitiateAuth")
        case .answerCustomAuth: target("RespondToAuthChallenge")
        default: [:]
        }
    }

    /// The media type of the body; Cognito's protocol is JSON 1.1.
    package var contentType: String {
        headers["X-Amz-Target"] == nil ? "application/json" : "application/x-amz-json-1.1"
    }

    package var body: String? {
        switch self {
        case .providerLogin(_, let code, let verifier, let nonce):
            json([
                "code": code, "code_verifier": verifier, "nonce": nonce, "redirect_uri": Self.redirectURI,
            ])
        case .stepUp(.password(let password), _): json(["password": password])
        case .stepUp(.guardedToken(let token), _): json(["refresh_token": token])
        case .passwordLogin(let email, let password): json(["email": email, "password": password])
        case .recover(let email): json(["email": email])
        case .verifyRecovery(let email, let code): json(["type": "recovery", "email": email, "token": code])
        case .setPassword(let password, _): json(["password": password])
        case .refresh(let token), .revoke(let token): json(["refresh_token": token])
        case .activity(let activity, _): json(["description": activity.text])
        case .expenseClaim(let amount, _, _): json(["amount": amount, "description": "Expense claim"])
        case .signUp(let email, let password):
            json(["ClientId": Self.clientID, "Username": email, "Password": password])
        case .startCustomAuth(let email):
            json(["AuthFlow": "CUSTOM_AUTH", "ClientId": Self.clientID, "AuthParameters": ["USERNAME": email]])
        case .answerCustomAuth(let email, let session, let answer):
            json([
                "ChallengeName": "CUSTOM_CHALLENGE", "ClientId": Self.clientID, "Session": session,
                "ChallengeResponses": ["USERNAME": email, "ANSWER": answer],
            ])
        case .customAuthLogin(let token): json(["access_token": token])
        case .sendCode(let email, _): json(["email": email])
        case .verifyCode(let code, _): json(["verificationCode": code])
        case .beginPasskeySignIn: json(["action": "cognitoAuth"])
        case .beginPasskeyRemoval: json(["action": "removePasskey"])
        // The credential stays as the platform wrote it.
        case .completePasskeySignIn(let challenge, let response), .completePasskeyRemoval(let challenge, let response):
            json(["challengeId": challenge]).dropLast() + #","authenticationCredential":\#(response)}"#
        case .completePasskeyRegistration(let challenge, let response, _):
            json(["challengeId": challenge]).dropLast() + #","registrationCredential":\#(response)}"#
        case .beginPasskeyRegistration: json([:])
        case .logOut, .home, .people, .personalData, .listPasskeys, .deletePasskey: nil
        }
    }

    private func target(_ operation: String) -> [String: String] {
        ["X-Amz-Target": "AWSCognitoIdentityProviderService.\(operation)"]
    }

    /// Nested dictionaries of texts as JSON with sorted keys.
    private func json(_ members: [String: any Encodable & Sendable]) -> String {
        let body = members.mapValues { Member(value: $0) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private struct Member: Encodable {
        let value: any Encodable & Sendable

        func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }
}

/// The proof of a step-up that the server asks for.
package enum StepUpProof: Hashable, Sendable {
    case password(String)
    /// The refresh token that the sensor guards.
    case guardedToken(String)
}
