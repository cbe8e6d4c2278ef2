internal import Foundation
internal import GRDB
internal import HTTPTypes
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer
internal import WebAuthn

/// Passkeys: a sign-in yields a result token for its action; registration, list and removal need a session of the app or
/// such a token.
extension Authsignal {
    func addPasskeys(
        to routes: inout RouteTable, _ handler: (Endpoint, @escaping RouteTable.Handler) -> RouteTable.Handler
    ) {
        let passkey = Self.root + "/user-authenticators/passkey"
        routes.add(
            .post, Self.root + "/challenge",
            handler(.passkeyChallenge) { request, _ in
                let body: BeginBody = try await JSONBody.read(of: request)
                guard let action = body.action, !action.isEmpty else { throw AuthsignalError.actionMissing }
                return try Reply.json(["challengeId": Challenge(token: gateway.newIdentifier(), action: action).text])
            })
        routes.add(
            .post, passkey + "/authentication-options",
            handler(.passkeyBegin) { request, _ in try await begin(request) })
        routes.add(
            .post, Self.root + "/verify/passkey",
            handler(.passkeyComplete) { request, _ in try await complete(request) })
        routes.add(
            .post, passkey + "/registration-options",
            handler(.registerBegin) { request, _ in
                let caller = try await gateway.caller(of: request)
                let (options, token) = try await site.beginRegistration(
                    of: caller.user.accountID, authenticatedAt: Timestamp(rawValue: caller.session.createdAt))
                return try Reply.json(Begun(challengeId: token, options: options))
            })
        routes.add(
            .post, passkey,
            handler(.registerComplete) { request, _ in
                let caller = try await gateway.caller(of: request)
                let answer = try await CompletedCeremony(request, "registrationCredential")
                let passkey = try await site.completeRegistration(
                    json: answer.credential, token: answer.challengeId, of: caller.user.accountID,
                    userAgent: request.headers[.userAgent])
                return try Reply.json(
                    Registered(
                        userAuthenticatorId: passkey.credentialId, userId: caller.user.email,
                        userAuthenticator: PasskeyAuthenticator(passkey)))
            })
        routes.add(
            .get, Self.root + "/user-authenticators",
            handler(.passkeys) { request, _ in
                let caller = try await gateway.caller(of: request)
                let passkeys = try await site.passkeys(of: caller.user.accountID)
                return try Reply.json(passkeys.map { PasskeyAuthenticator($0) })
            })
        // Authsignal's SDKs for clients have no removal; its server API has one.
        routes.add(
            .delete, Self.root + "/user-authenticators/:credentialId",
            handler(.passkeyDelete) { request, context in try await remove(request, context) })
    }

    /// The actions whose tokens a service of this bench accepts.
    enum Action {
        /// Answers the challenge of the Cognito-like service.
        static let signIn = "cognitoAuth"
        static let removePasskey = "removePasskey"
    }

    private struct BeginBody: Decodable, Sendable {
        var challengeId: String?
        /// The action of a request that has no challenge.
        var action: String?
    }

    /// A challenge's identifier: a token, and the action that the result token is for.
    private struct Challenge {
        let token: String
        let action: String

        init(token: String, action: String) { (self.token, self.action) = (token, action) }

        init?(_ text: String) {
            let parts = text.split(separator: ".")
            guard parts.count == 2, let action = Base64URL.decode(String(parts[1])) else { return nil }
            self.init(token: String(parts[0]), action: String(decoding: action, as: UTF8.self))
        }

        var text: String { "\(token).\(Base64URL.encode(Array(action.utf8)))" }
    }

    private struct Begun<Options: Encodable>: Encodable {
        let challengeId: String
        let options: Options
    }

    private struct Registered: Encodable {
        let isVerified = true
        let userAuthenticatorId: String
        let userId: String
        let userAuthenticator: PasskeyAuthenticator
    }

    private struct SignedIn: Encodable {
        let isVerified = true
        /// The result token.
        let accessToken: String
        let userId: String
        let userAuthenticatorId: String
        let username: String
        let userDisplayName: String
    }

    /// The answer to a ceremony's options: its challenge, and the credential's JSON as it came.
    private struct CompletedCeremony {
        let challengeId: String
        let credential: [UInt8]

        private struct Body: Decodable, Sendable {
            let challengeId: String
        }

        /// - Parameter member: the name of the credential's member.
        init(_ request: Request, _ member: String) async throws {
            let bytes = try await JSONBody.bytes(of: request)
            challengeId = try JSONBody.decode(Body.self, from: bytes).challengeId
            guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
                let value = object[member],
                let json = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
            else { throw AuthsignalError.passkeyRefused }
            credential = Array(json)
        }
    }

    private func begin(_ request: Request) async throws -> Response {
        let body: BeginBody = try await JSONBody.read(of: request)
        var action = body.action ?? body.challengeId.flatMap { Challenge($0)?.action }
        // The token of a custom authentication names its action.
        if action == nil, case .bearer = request.credentials {
            _ = try await startToken(request)
            action = Action.signIn
        }
        guard let action, !action.isEmpty else { throw AuthsignalError.actionMissing }
        let (options, token) = try await site.beginSignIn()
        return try Reply.json(Begun(challengeId: Challenge(token: token, action: action).text, options: options))
    }

    private func complete(_ request: Request) async throws -> Response {
        let answer = try await CompletedCeremony(request, "authenticationCredential")
        guard let challenge = Challenge(answer.challengeId) else { throw AuthsignalError.passkeyRefused }
        let signIn: RelyingPartySite.VerifiedSignIn
        do {
            signIn = try await site.completeSignIn(json: answer.credential, token: challenge.token)
        } catch is APIError {
            throw AuthsignalError.passkeyRefused
        }
        let username = signIn.account.username
        let token = try await tokens.issue(
            .result, to: username, identifier: gateway.newIdentifier(), action: challenge.action,
            passkey: Base64URL.encode(signIn.credentialID), isUserVerified: signIn.isUserVerified)
        return try Reply.json(
            SignedIn(
                accessToken: token, userId: username, userAuthenticatorId: Base64URL.encode(signIn.credentialID),
                username: username, userDisplayName: signIn.account.displayName))
    }

    /// Removes a passkey of the user whom a passkey verified for that (A17): an e-mail code or an open session is not enough.
    private func remove(_ request: Request, _ context: RouteTable.Context) async throws -> Response {
        guard case .bearer(let text) = request.credentials,
            let token = try await validate(
                text, for: { $0.action == Action.removePasskey && $0.isUserVerified == true }),
            let account = try await site.database.snapshot({ db in try site.existingAccount(named: token.sub, db) })
        else { throw AuthsignalError.tokenInvalid }
        guard let id = Base64URL.decode(try context.parameters.require("credentialId")) else {
            throw APIError.base64URLMalformed("credentialId")
        }
        try await site.deletePasskey(id, of: account.id)
        return Reply.noContent()
    }
}
