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
        routes.add(
            .post, Self.root + "/passkey/sign-in/begin",
            handler(.passkeyBegin) { request, _ in try await begin(request) })
        routes.add(
            .post, Self.root + "/passkey/sign-in/complete",
            handler(.passkeyComplete) { request, _ in try await complete(request) })
        routes.add(
            .post, Self.root + "/passkey/register/begin",
            handler(.registerBegin) { request, _ in
                let caller = try await gateway.caller(of: request)
                let (options, token) = try await site.beginRegistration(
                    of: caller.user.accountID, authenticatedAt: Timestamp(rawValue: caller.session.createdAt))
                return try Reply.json(["data": Begun(challengeId: token, options: options)])
            })
        routes.add(
            .post, Self.root + "/passkey/register/complete",
            handler(.registerComplete) { request, _ in
                let caller = try await gateway.caller(of: request)
                let answer = try await CompletedCeremony(request)
                let passkey = try await site.completeRegistration(
                    json: answer.credential, token: answer.challengeId, of: caller.user.accountID,
                    userAgent: request.headers[.userAgent])
                return try Reply.json(["data": passkey], status: .created)
            })
        routes.add(
            .get, Self.root + "/passkeys",
            handler(.passkeys) { request, _ in
                let caller = try await gateway.caller(of: request)
                return try Reply.json(["passkeys": try await site.passkeys(of: caller.user.accountID)])
            })
        routes.add(
            .delete, Self.root + "/passkeys/:credentialId",
            handler(.passkeyDelete) { request, context in try await remove(request, context) })
    }

    /// The actions whose tokens a service of this bench accepts.
    enum Action {
        /// Answers the challenge of the Cognito-like service.
        static let signIn = "cognitoAuth"
        static let removePasskey = "removePasskey"
    }

    private struct BeginBody: Decodable, Sendable {
        let action: String?
    }

    private struct Begun<Options: Encodable>: Encodable {
        let challengeId: String
        let options: Options
    }

    /// The answer to a ceremony's options: its challenge, and the credential's JSON as it came.
    private struct CompletedCeremony {
        let challengeId: String
        let credential: [UInt8]

        private struct Body: Decodable, Sendable {
            let challengeId: String
        }

        init(_ request: Request) async throws {
            let bytes = try await JSONBody.bytes(of: request)
            challengeId = try JSONBody.decode(Body.self, from: bytes).challengeId
            guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
                let value = object["credential"],
                let json = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
            else { throw AuthsignalError.passkeyRefused }
            credential = Array(json)
        }
    }

    private func begin(_ request: Request) async throws -> Response {
        let body: BeginBody = try await JSONBody.read(of: request)
        guard let action = body.action, !action.isEmpty else { throw AuthsignalError.actionMissing }
        let (options, token) = try await site.beginSignIn()
        return try Reply.json([
            "data": Begun(challengeId: "\(token).\(Base64URL.encode(Array(action.utf8)))", options: options)
        ])
    }

    private func complete(_ request: Request) async throws -> Response {
        let answer = try await CompletedCeremony(request)
        let parts = answer.challengeId.split(separator: ".")
        guard parts.count == 2, let action = Base64URL.decode(String(parts[1])) else {
            throw AuthsignalError.passkeyRefused
        }
        let signIn: RelyingPartySite.VerifiedSignIn
        do {
            signIn = try await site.completeSignIn(json: answer.credential, token: String(parts[0]))
        } catch is APIError {
            throw AuthsignalError.passkeyRefused
        }
        let username = signIn.account.username
        let token = try await tokens.issue(
            .result, to: username, identifier: gateway.newIdentifier(), action: String(decoding: action, as: UTF8.self),
            passkey: Base64URL.encode(signIn.credentialID), isUserVerified: signIn.isUserVerified)
        return try Reply.json(["data": ["username": username, "token": token]])
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
