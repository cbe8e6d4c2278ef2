internal import Foundation
internal import GRDB
internal import Harness
internal import Hummingbird
internal import LoopbackHTTP
internal import WebAuthn

/// The Authsignal-like service: codes by e-mail, and sign-in with a passkey, which yield a result token.
struct Authsignal: Sendable {
    let site: HarnessSite
    let tokens: AuthsignalTokens
    let mailbox: Mailbox
    let newIdentifier: @Sendable () -> String

    private static let root = "/authsignal/v1"
    static let codeLifetime = Duration.seconds(600)
    private static let attempts = 5

    static let schema = """
        CREATE TABLE authsignal_codes (
            username TEXT PRIMARY KEY NOT NULL COLLATE NOCASE,
            code TEXT,
            expires_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE authsignal_spent_tokens (
            id TEXT PRIMARY KEY NOT NULL
        ) STRICT;
        """

    /// The names of the endpoints in the journal.
    enum Endpoint: String, CaseIterable {
        case enroll, challenge, verify
        case passkeyBegin = "passkey-begin"
        case passkeyComplete = "passkey-complete"
    }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        func handler(_ endpoint: Endpoint, _ handle: @escaping RouteTable.Handler) -> RouteTable.Handler {
            door.handler(.authsignal, endpoint.rawValue, handle)
        }
        routes.add(
            .post, Self.root + "/email/enroll",
            handler(.enroll) { request, _ in
                let (token, body): (AuthsignalToken, EmailBody) = try await read(request)
                guard body.email.lowercased() == token.sub.lowercased() else { throw AuthsignalError.emailMismatch }
                try await sendCode(to: token.sub)
                return try Reply.json(["data": ["email": token.sub]])
            })
        routes.add(
            .post, Self.root + "/email/challenge",
            handler(.challenge) { request, _ in
                let token = try await startToken(request)
                try await sendCode(to: token.sub)
                return try Reply.json(["data": ["email": token.sub]])
            })
        routes.add(
            .post, Self.root + "/email/verify",
            handler(.verify) { request, _ in
                let (token, body): (AuthsignalToken, CodeBody) = try await read(request)
                try await spend(body.code, of: token.sub)
                let result = try await tokens.issue(.result, to: token.sub, identifier: newIdentifier())
                return try Reply.json(["data": ["token": result]])
            })
        routes.add(.post, Self.root + "/passkey/sign-in/begin", handler(.passkeyBegin) { try await begin($0, $1) })
        routes.add(
            .post, Self.root + "/passkey/sign-in/complete", handler(.passkeyComplete) { try await complete($0, $1) })
    }

    private struct EmailBody: Decodable, Sendable {
        let email: String
    }

    private struct CodeBody: Decodable, Sendable {
        let code: String
    }

    private func read<Body: Decodable & Sendable>(_ request: Request) async throws -> (AuthsignalToken, Body) {
        (try await startToken(request), try await JSONBody.read(of: request))
    }

    private func startToken(_ request: Request) async throws -> AuthsignalToken {
        guard case .bearer(let text) = request.credentials else { throw AuthsignalError.tokenInvalid }
        do {
            return try await tokens.read(text, .start)
        } catch AuthsignalTokens.Problem.expired {
            throw AuthsignalError.tokenExpired
        } catch AuthsignalTokens.Problem.invalid {
            throw AuthsignalError.tokenInvalid
        }
    }

    // MARK: codes

    /// Sends a new code, which replaces an earlier one.
    private func sendCode(to username: String) async throws {
        let random = site.configuration.random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let code = String(String(1_000_000 + random % 1_000_000).dropFirst())
        let expiry = Timestamp(site.configuration.clock()) + Self.codeLifetime
        try await site.database.write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO authsignal_codes (username, code, expires_at, attempts) VALUES (?, ?, ?, 0)
                    """, arguments: [username, code, expiry])
        }
        try await mailbox.send(code: code, to: username)
    }

    /// Uses a code up, and counts wrong ones.
    private func spend(_ code: String, of username: String) async throws {
        let now = Timestamp(site.configuration.clock())
        let problem = try await site.database.write { db -> AuthsignalError? in
            guard
                let row = try Row.fetchOne(
                    db, sql: "SELECT * FROM authsignal_codes WHERE username = ?", arguments: [username])
            else { return .notEnrolled }
            guard (row["attempts"] as Int) < Self.attempts else { return .tooManyAttempts }
            guard let expected: String = row["code"], expected == code else {
                try db.execute(
                    sql: "UPDATE authsignal_codes SET attempts = attempts + 1 WHERE username = ?",
                    arguments: [username])
                return .codeInvalid
            }
            guard now < Timestamp(rawValue: row["expires_at"]) else { return .codeExpired }
            try db.execute(
                sql: "UPDATE authsignal_codes SET code = NULL WHERE username = ?", arguments: [username])
            return nil
        }
        if let problem { throw problem }
    }

    /// The user that a result token proves; a token proves its user once.
    func validate(_ text: String) async throws -> AuthsignalToken? {
        guard let token = try? await tokens.read(text, .result) else { return nil }
        let isNew = try await site.database.write { db in
            try db.execute(
                sql: "INSERT OR IGNORE INTO authsignal_spent_tokens (id) VALUES (?)", arguments: [token.jti])
            return db.changesCount == 1
        }
        return isNew ? token : nil
    }

    // MARK: passkeys

    private struct BeginBody: Decodable, Sendable {
        let action: String?
    }

    private struct Begun: Encodable {
        let challengeId: String
        let options: RequestOptions
    }

    private func begin(_ request: Request, _ context: RouteTable.Context) async throws -> Response {
        let body: BeginBody = try await JSONBody.read(of: request)
        guard let action = body.action, !action.isEmpty else { throw AuthsignalError.actionMissing }
        let (options, token) = try await site.beginSignIn()
        return try Reply.json([
            "data": Begun(challengeId: "\(token).\(Base64URL.encode(Array(action.utf8)))", options: options)
        ])
    }

    private struct CompleteBody: Decodable, Sendable {
        let challengeId: String
    }

    private func complete(_ request: Request, _ context: RouteTable.Context) async throws -> Response {
        let bytes = try await JSONBody.bytes(of: request)
        let body = try JSONBody.decode(CompleteBody.self, from: bytes)
        let parts = body.challengeId.split(separator: ".")
        guard parts.count == 2, let action = Base64URL.decode(String(parts[1])),
            let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let credential = object["credential"],
            let json = try? JSONSerialization.data(withJSONObject: credential, options: .fragmentsAllowed)
        else { throw AuthsignalError.passkeyRefused }
        let (account, passkey): (HarnessAccount, [UInt8])
        do {
            (account, passkey) = try await site.completeSignIn(json: Array(json), token: String(parts[0]))
        } catch is APIError {
            throw AuthsignalError.passkeyRefused
        }
        let username = account.username
        let token = try await tokens.issue(
            .result, to: username, identifier: newIdentifier(), action: String(decoding: action, as: UTF8.self),
            passkey: Base64URL.encode(passkey))
        return try Reply.json(["data": ["username": username, "token": token]])
    }
}
