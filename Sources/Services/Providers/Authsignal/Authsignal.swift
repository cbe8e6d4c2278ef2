internal import GRDB
internal import Hummingbird
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The Authsignal-like service: codes by e-mail, and sign-in with a passkey, which yield a result token.
///
/// The paths and members are those that Authsignal's SDKs use, of github.com/authsignal/authsignal-browser, `src/api`.
struct Authsignal: Sendable {
    let site: RelyingPartySite
    let tokens: AuthsignalTokens
    let mailbox: Mailbox
    let gateway: Gateway

    static let root = "/authsignal/v1/client"
    static let codeLifetime = Duration.seconds(600)
    private static let attempts = 5
    /// The wrong codes, and the messages, of an hour: a new code does not give a guesser five more attempts without end.
    private static let hourlyLimit = 20

    /// The purpose of a code, which serves no other one: a login code that a stranger learns sets no password.
    enum CodePurpose: String, DatabaseValueConvertible {
        case login, address, password

        var words: String {
            switch self {
            case .login: "to log in"
            case .address: "to confirm your address"
            case .password: "to set a new password"
            }
        }
    }

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

    static let codeSchema = """
        DROP TABLE authsignal_codes;
        CREATE TABLE authsignal_codes (
            username TEXT NOT NULL COLLATE NOCASE,
            purpose TEXT NOT NULL,
            code TEXT,
            expires_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            hour INTEGER NOT NULL,
            sent INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (username, purpose)
        ) STRICT;
        """

    /// The names of the endpoints in the journal.
    enum Endpoint: String, CaseIterable {
        case enroll, challenge, verify
        case passkeyChallenge = "passkey-challenge"
        case passkeyBegin = "passkey-begin"
        case passkeyComplete = "passkey-complete"
        case registerBegin = "register-begin"
        case registerComplete = "register-complete"
        case passkeys
        case passkeyDelete = "passkey-delete"
    }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        func handler(_ endpoint: Endpoint, _ handle: @escaping RouteTable.Handler) -> RouteTable.Handler {
            door.handler(.authsignal, endpoint.rawValue) { request, context in
                do {
                    return try await handle(request, context)
                } catch let error as APIError {
                    throw AuthsignalRefusal(error: error)
                }
            }
        }
        routes.add(
            .post, Self.root + "/user-authenticators/email-otp",
            handler(.enroll) { request, _ in
                let (token, body): (AuthsignalToken, EmailBody) = try await read(request)
                guard body.email.lowercased() == token.sub.lowercased() else { throw AuthsignalError.emailMismatch }
                try await sendCode(.login, to: token.sub)
                return try Reply.json(["userAuthenticatorId": token.sub, "userId": token.sub])
            })
        routes.add(
            .post, Self.root + "/challenge/email-otp",
            handler(.challenge) { request, _ in
                let token = try await startToken(request)
                try await sendCode(.login, to: token.sub)
                return try Reply.json(["challengeId": gateway.newIdentifier()])
            })
        routes.add(
            .post, Self.root + "/verify/email-otp",
            handler(.verify) { request, _ in
                let (token, body): (AuthsignalToken, CodeBody) = try await read(request)
                try await spend(body.verificationCode, .login, of: token.sub)
                let result = try await tokens.issue(.result, to: token.sub, identifier: gateway.newIdentifier())
                return try Reply.json(Verified(accessToken: result))
            })
        addPasskeys(to: &routes, handler)
    }

    private struct EmailBody: Decodable, Sendable {
        let email: String
    }

    private struct CodeBody: Decodable, Sendable {
        let verificationCode: String
    }

    private struct Verified: Encodable {
        let isVerified = true
        /// The result token.
        let accessToken: String
    }

    private func read<Body: Decodable & Sendable>(_ request: Request) async throws -> (AuthsignalToken, Body) {
        (try await startToken(request), try await JSONBody.read(of: request))
    }

    func startToken(_ request: Request) async throws -> AuthsignalToken {
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

    /// Sends a new code, which takes the place of the last one.
    ///
    /// - Throws: `rate_limited`.
    func sendCode(_ purpose: CodePurpose, to username: String) async throws {
        let random = site.configuration.random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let code = String(String(1_000_000 + random % 1_000_000).dropFirst())
        let now = Timestamp(site.configuration.clock())
        let isLimited = try await site.database.write { db in
            let row = try Self.code(purpose, of: username, db)
            let isInHour = row.map { now <= Timestamp(rawValue: $0["hour"]) + .seconds(3600) } ?? false
            let (sent, failures): (Int, Int) = isInHour ? (row?["sent"] ?? 0, row?["failures"] ?? 0) : (0, 0)
            guard sent < Self.hourlyLimit, failures < Self.hourlyLimit else { return true }
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO authsignal_codes (username, purpose, code, expires_at, hour, sent, failures)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    username, purpose, code, now + Self.codeLifetime, isInHour ? row?["hour"] : now, sent + 1, failures,
                ])
            return false
        }
        guard !isLimited else { throw AuthsignalError.rateLimited }
        try await mailbox.send(code: code, purpose.words, to: username)
    }

    private static func code(_ purpose: CodePurpose, of username: String, _ db: Database) throws -> Row? {
        try Row.fetchOne(
            db, sql: "SELECT * FROM authsignal_codes WHERE username = ? AND purpose = ?",
            arguments: [username, purpose])
    }

    /// Uses a code up, and counts wrong ones.
    func spend(_ code: String, _ purpose: CodePurpose, of username: String) async throws {
        let now = Timestamp(site.configuration.clock())
        let problem = try await site.database.write { db -> AuthsignalError? in
            func update(_ change: String) throws {
                try db.execute(
                    sql: "UPDATE authsignal_codes SET \(change) WHERE username = ? AND purpose = ?",
                    arguments: [username, purpose])
            }
            guard let row = try Self.code(purpose, of: username, db) else { return .notEnrolled }
            guard (row["attempts"] as Int) < Self.attempts else { return .tooManyAttempts }
            guard let expected: String = row["code"], expected == code else {
                try update("attempts = attempts + 1, failures = failures + 1")
                return .codeInvalid
            }
            guard now < Timestamp(rawValue: row["expires_at"]) else { return .codeExpired }
            try update("code = NULL, failures = 0")
            return nil
        }
        if let problem { throw problem }
    }

    /// The user that a result token proves; a token proves its user once, and only for its purpose.
    func validate(_ text: String, for isAccepted: (AuthsignalToken) -> Bool) async throws -> AuthsignalToken? {
        guard let token = try? await tokens.read(text, .result), isAccepted(token) else { return nil }
        let isNew = try await site.database.write { db in
            try db.execute(sql: "INSERT OR IGNORE INTO authsignal_spent_tokens (id) VALUES (?)", arguments: [token.jti])
            return db.changesCount == 1
        }
        return isNew ? token : nil
    }
}
