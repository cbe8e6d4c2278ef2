internal import GRDB
internal import HTTPTypes
internal import LoopbackHTTP
internal import RelyingPartyServer

/// Sets a new password for a user who reads a code in the mailbox, with the requests of Supabase's clients.
struct PasswordReset: Sendable {
    let gateway: Gateway
    let authsignal: Authsignal

    private struct RecoverBody: Decodable, Sendable {
        let email: String
    }

    private struct VerifyBody: Decodable, Sendable {
        let type: String
        let email: String
        let token: String
    }

    private struct PasswordBody: Decodable, Sendable {
        let password: String
    }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        routes.add(
            .post, "/gateway/v1/recover",
            door.gatewayHandler(.recover) { request, _ in
                let body: RecoverBody = try await JSONBody.read(of: request)
                // The answer is always the same: another one would tell that the account exists.
                if let account = try await gateway.accountWithPassword(body.email) {
                    do { try await authsignal.sendCode(.password, to: account.username) } catch is AuthsignalError {}
                }
                return try Reply.json([String: String]())
            })
        routes.add(
            .post, "/gateway/v1/verify",
            door.gatewayHandler(.recover) { request, _ in
                let body: VerifyBody = try await JSONBody.read(of: request)
                guard body.type == "recovery" else { throw APIError.verificationTypeUnsupported }
                guard let account = try await gateway.accountWithPassword(body.email) else { throw APIError.otpExpired }
                do {
                    try await authsignal.spend(body.token, .password, of: account.username)
                } catch is AuthsignalError {
                    throw APIError.otpExpired
                }
                let user = try await gateway.user(of: account, provesAddress: false)
                return try SnakeCase.reply(
                    try await gateway.open(user.id, by: .recovery, installation: request.installation))
            })
        routes.add(
            .put, "/gateway/v1/user",
            door.gatewayHandler(.user) { request, _ in
                let caller = try await gateway.caller(of: request)
                let body: PasswordBody = try await JSONBody.read(of: request)
                let user = try await gateway.replacePassword(with: body.password, of: caller)
                return try SnakeCase.reply(try await gateway.answer(try await gateway.current(user)))
            })
    }
}

extension Gateway {
    /// The time after the code in which its session may set a password.
    private static let resetWindow = Duration.seconds(600)

    fileprivate func accountWithPassword(_ address: String) async throws -> RelyingPartyAccount? {
        let account = try await site.database.snapshot { [site] db in try site.existingAccount(named: address, db) }
        return account?.hasPassword == true ? account : nil
    }

    /// Sets the password, once in a session that a code has opened, and ends the user's other sessions.
    ///
    /// The code proves the address. The first proof takes away the access that the account had before, as at a login.
    fileprivate func replacePassword(with password: String, of caller: GatewayCaller) async throws -> GatewayUser {
        let now = now
        do {
            return try await site.replacePassword(with: password, ofAccount: caller.user.accountID) { [site] db in
                // The session is read again: another request may have used or ended it meanwhile.
                guard var session = try GatewaySession.fetchOne(db, key: caller.session.id),
                    var user = try GatewayUser.fetchOne(db, key: session.userID)
                else { throw APIError.sessionNotFound(401) }
                guard session.method == .recovery, now <= Timestamp(rawValue: session.createdAt) + Self.resetWindow
                else {
                    throw APIError.reauthenticationNeeded
                }
                if !user.emailVerified { try site.removeAccess(toAccount: user.accountID, db) }
                user.emailVerified = true
                try user.update(db)
                session.method = .password
                try session.update(db)
                let others = GatewaySession.filter(Column("user_id") == session.userID && Column("id") != session.id)
                try others.deleteAll(db)
                return user
            }
        } catch let error as APIError where error.code == APIError.passwordInvalid.code {
            throw APIError(422, APIError.Code(rawValue: APIError.weakPassword), error.message)
        }
    }
}

extension APIError {
    fileprivate static let otpExpired = APIError(
        403, "otp_expired", "The code is wrong, was already used or has expired; ask for a new one.")
    fileprivate static let verificationTypeUnsupported = APIError(
        400, "validation_failed", "The type is not supported; send recovery.")
    fileprivate static let reauthenticationNeeded = APIError(
        400, "reauthentication_needed",
        "The session has already set a password, or no code of the last ten minutes opened it; ask for a new code.")
    static let weakPassword = "weak_password"
    static let addressUnproved = APIError(
        403, "address_unproved", "The user has proved neither the address nor an identity; prove the address first.")
}
