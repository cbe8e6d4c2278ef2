internal import GRDB
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The body of `POST /gateway/v1/step-up`: one proof of the user.
struct StepUpRequest: Decodable, Sendable {
    let password: String?
    /// The session's active refresh token, which an app keeps behind the sensor.
    let refreshToken: String?

    enum CodingKeys: String, CodingKey {
        case password
        case refreshToken = "refresh_token"
    }
}

/// A fresh proof of the user within a session, for one protected operation.
extension Gateway {
    /// Accepts a proof: the account's password, or the token that the sensor guards.
    ///
    /// The access token alone proves nothing.
    ///
    /// - Throws: `step_up_refused`, or the errors of a password.
    func stepUp(_ request: StepUpRequest, by caller: GatewayCaller, address: String?) async throws {
        if let password = request.password {
            try await checkPassword(password, of: caller.user.email, address: address)
        } else {
            guard let token = request.refreshToken,
                let token = RefreshToken(token, secret: try secret.bytes(of: site)),
                token.sessionID == caller.session.id,
                // The client may not have received the active token, as at a refresh.
                (0...1).contains(caller.session.counter - token.counter)
            else { throw APIError.stepUpRefused }
        }
        try await site.database.write { [now] db in
            guard var session = try GatewaySession.fetchOne(db, key: caller.session.id) else {
                throw APIError.sessionNotFound(401)
            }
            session.steppedUpAt = now.rawValue
            try session.update(db)
        }
    }
}

extension GatewaySession {
    /// The time for which a step-up waits for its operation.
    private static let stepUpLifetime = Duration.seconds(300)

    /// Consumes a session's step-up, because each protected operation needs a proof of its own.
    ///
    /// - Throws: `step_up_required` without a fresh one.
    static func useStepUp(of caller: GatewaySession, at now: Timestamp, _ db: Database) throws {
        guard var session = try fetchOne(db, key: caller.id) else { throw APIError.sessionNotFound(401) }
        guard let proved = session.steppedUpAt, now - Timestamp(rawValue: proved) < stepUpLifetime else {
            throw APIError.stepUpRequired
        }
        session.steppedUpAt = nil
        try session.update(db)
    }
}

extension APIError {
    static let stepUpRequired = APIError(
        403, "step_up_required",
        "The operation needs a fresh proof of the user; send one to POST /gateway/v1/step-up first.")
    static let stepUpRefused = APIError(
        403, "step_up_refused", "The proof is not accepted; send the password or the session's active refresh token.")
    static let identityLinked = APIError(
        409, "identity_linked", "The login belongs to another user; sign in as that user.")
}
