internal import Foundation
internal import GRDB
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer
internal import WebAuthn

/// The Cognito-like service: sign-up, and custom authentication whose answers are Authsignal result tokens.
///
/// It keeps no password: the one of a sign-up opens nothing, and the password flows are closed (K4, N7).
struct Cognito: Sendable {
    let site: RelyingPartySite
    let gateway: Gateway
    let authsignal: Authsignal
    let sessions: CognitoSessions

    /// The operations, by the end of their target; also the endpoints in the journal.
    enum Operation: String, CaseIterable {
        case signUp = "SignUp"
        case initiateAuth = "InitiateAuth"
        case respondToAuthChallenge = "RespondToAuthChallenge"
        case confirmSignUp = "ConfirmSignUp"
        case getTokensFromRefreshToken = "GetTokensFromRefreshToken"
        case getUser = "GetUser"
        case globalSignOut = "GlobalSignOut"
        case revokeToken = "RevokeToken"
    }

    /// The name of the endpoint of the published keys in the journal.
    static let keys = "jwks"

    private static let service = "AWSCognitoIdentityProviderService."

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        let handlers = Dictionary(
            uniqueKeysWithValues: Operation.allCases.map { operation in
                (
                    operation.rawValue,
                    door.handler(.cognito, operation.rawValue) { request, _ in
                        try await perform(operation, request)
                    }
                )
            })
        let unknown = door.handler(.cognito, "unknown") { _, _ in
            throw CognitoError(.unknownOperation, "X-Amz-Target names no operation of this service.")
        }
        routes.add(.post, "/cognito") { request, context in
            let target = HTTPField.Name("X-Amz-Target").flatMap { request.headers[$0] } ?? ""
            let operation = target.hasPrefix(Self.service) ? String(target.dropFirst(Self.service.count)) : ""
            return try await (handlers[operation] ?? unknown)(request, context)
        }
        routes.add(
            .get, "/cognito/.well-known/jwks.json",
            door.handler(.cognito, Self.keys) { _, _ in try CognitoIDToken.keySet() })
    }

    private func perform(_ operation: Operation, _ request: Request) async throws -> Response {
        let bytes = try await JSONBody.bytes(
            of: request, declaredAs: ["application/x-amz-json-1.1", "application/json"])
        do {
            switch operation {
            case .signUp: return try await signUp(try JSONDecoder().decode(SignUpBody.self, from: Data(bytes)))
            case .initiateAuth:
                return try await initiate(try JSONDecoder().decode(InitiateBody.self, from: Data(bytes)))
            case .respondToAuthChallenge:
                return try await respond(try JSONDecoder().decode(RespondBody.self, from: Data(bytes)))
            case .confirmSignUp: return try await confirm(try JSONDecoder().decode(ConfirmBody.self, from: Data(bytes)))
            case .getTokensFromRefreshToken, .getUser, .globalSignOut, .revokeToken:
                return try await CognitoTokens(gateway: gateway, issuer: issuer).perform(operation, bytes)
            }
        } catch is DecodingError {
            throw CognitoError(.invalidParameter, "A required member of \(operation.rawValue) is missing.")
        }
    }

    // MARK: SignUp

    private struct SignUpBody: Decodable, Sendable {
        let username: String
        let password: String

        enum CodingKeys: String, CodingKey {
            case username = "Username"
            case password = "Password"
        }
    }

    private struct SignUpAnswer: Encodable {
        let userConfirmed = true
        let userSub: String

        enum CodingKeys: String, CodingKey {
            case userConfirmed = "UserConfirmed"
            case userSub = "UserSub"
        }
    }

    private func signUp(_ body: SignUpBody) async throws -> Response {
        guard body.password.utf8.count >= 8 else {
            throw CognitoError(.invalidPassword, "Password did not conform with policy: Password not long enough")
        }
        let exists = try await site.database.snapshot { db in
            try site.existingAccount(named: body.username, db) != nil
        }
        guard !exists else { throw CognitoError(.usernameExists, "User already exists") }
        let account: RelyingPartyAccount
        do {
            account = try await site.database.write { db in
                try site.account(named: body.username, displayName: body.username, db)
            }
        } catch is APIError {
            throw CognitoError(.invalidParameter, "Username should be an email.")
        }
        let user = try await gateway.user(of: account, provesAddress: false)
        return try Reply.json(SignUpAnswer(userSub: user.id))
    }

    private struct ConfirmBody: Decodable, Sendable {
        let username: String

        enum CodingKeys: String, CodingKey {
            case username = "Username"
        }
    }

    /// Refuses: a trigger confirms each user at the sign-up, so no code is sent for that.
    private func confirm(_ body: ConfirmBody) async throws -> Response {
        let exists = try await site.database.snapshot { db in
            try site.existingAccount(named: body.username, db) != nil
        }
        guard exists else { throw CognitoError(.userNotFound, "Username/client id combination not found.") }
        throw CognitoError(.notAuthorized, "User cannot be confirmed. Current status is CONFIRMED")
    }

    private var issuer: String { site.baseURL + "/cognito" }

    // MARK: InitiateAuth

    private struct InitiateBody: Decodable, Sendable {
        let authFlow: String
        let authParameters: [String: String]

        enum CodingKeys: String, CodingKey {
            case authFlow = "AuthFlow"
            case authParameters = "AuthParameters"
        }
    }

    private func initiate(_ body: InitiateBody) async throws -> Response {
        if ["REFRESH_TOKEN_AUTH", "REFRESH_TOKEN"].contains(body.authFlow) {
            return try await CognitoTokens(gateway: gateway, issuer: issuer)
                .refresh(body.authParameters["REFRESH_TOKEN"] ?? "", rotates: false)
        }
        // USER_PASSWORD_AUTH and USER_SRP_AUTH: no account has a password here.
        guard body.authFlow == "CUSTOM_AUTH" else { throw CognitoError.incorrect }
        guard let username = body.authParameters["USERNAME"], !username.isEmpty else {
            throw CognitoError(.invalidParameter, "Missing required parameter USERNAME")
        }
        let account = try await site.database.snapshot { db in try site.existingAccount(named: username, db) }
        guard account != nil || gateway.conditions.current.cognito.hidesUnknownUsers else {
            throw CognitoError(.userNotFound, "User does not exist.")
        }
        return try await next(username: account?.username ?? username, userNotFound: account == nil, answered: [])
    }

    // MARK: RespondToAuthChallenge

    private struct RespondBody: Decodable, Sendable {
        let challengeName: String
        let session: String
        let challengeResponses: [String: String]

        enum CodingKeys: String, CodingKey {
            case challengeName = "ChallengeName"
            case session = "Session"
            case challengeResponses = "ChallengeResponses"
        }
    }

    private func respond(_ body: RespondBody) async throws -> Response {
        guard let session = sessions.take(body.session), site.configuration.clock() < session.expiresAt else {
            throw CognitoError.invalidSession
        }
        guard body.challengeName == CustomAuthTriggers.challengeName,
            body.challengeResponses["USERNAME"]?.lowercased() == session.username.lowercased()
        else { throw CognitoError.incorrect }
        let proof = try await authsignal.validate(body.challengeResponses["ANSWER"] ?? "") { token in
            token.action == nil || token.action == Authsignal.Action.signIn
        }
        let isCorrect = CustomAuthTriggers.verify(
            privateParameters: session.privateParameters, provenUser: proof?.sub, userNotFound: session.userNotFound)
        let answer = CustomAuthTriggers.AnsweredChallenge(challengeName: body.challengeName, challengeResult: isCorrect)
        return try await next(
            username: session.username, userNotFound: session.userNotFound, answered: session.answered + [answer],
            passkey: proof?.passkey.flatMap(Base64URL.decode))
    }

    private func next(
        username: String, userNotFound: Bool, answered: [CustomAuthTriggers.AnsweredChallenge],
        passkey: [UInt8]? = nil
    ) async throws -> Response {
        switch CustomAuthTriggers.define(session: answered, userNotFound: userNotFound) {
        case .failAuthentication: throw CognitoError.incorrect
        case .issueTokens:
            guard
                let account = try await site.database.snapshot({ db in try site.existingAccount(named: username, db) })
            else { throw CognitoError.incorrect }
            // A code proves the address; a passkey proves the account alone.
            let user = try await gateway.user(of: account, provesAddress: passkey == nil)
            let session = try await gateway.open(user.id, by: passkey == nil ? .otp : .passkey, credentialID: passkey)
            return try await CognitoTokens(gateway: gateway, issuer: issuer).reply(session, to: user)
        case .challenge(let name):
            let token = try await authsignal.tokens.issue(
                .start, to: username, identifier: gateway.newIdentifier())
            let challenge = CustomAuthTriggers.create(username: username, token: token)
            let identifier = gateway.newIdentifier()
            sessions.keep(
                CognitoSession(
                    username: username, userNotFound: userNotFound, privateParameters: challenge.privateParameters,
                    answered: answered, expiresAt: site.configuration.clock() + CognitoSession.lifetime),
                as: identifier)
            return try Reply.json(
                ChallengeAnswer(
                    challengeName: name, session: identifier, challengeParameters: challenge.publicParameters))
        }
    }

    private struct ChallengeAnswer: Encodable {
        let challengeName: String
        let session: String
        let challengeParameters: [String: String]

        enum CodingKeys: String, CodingKey {
            case challengeName = "ChallengeName"
            case session = "Session"
            case challengeParameters = "ChallengeParameters"
        }
    }
}
