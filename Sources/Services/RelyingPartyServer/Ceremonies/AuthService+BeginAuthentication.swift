internal import GRDB
internal import LoopbackHTTP
internal import WebAuthn

extension AuthService {
    /// The options of an authentication, and the token of the session started for them, if any.
    struct BegunAuthentication: Sendable {
        let options: RequestOptions
        let newToken: SessionToken?
    }

    /// Issues the options of an authentication (WebAuthn L3 §7.2 step 1).
    func beginAuthentication(
        _ request: AuthenticationRequest, token: SessionToken?
    ) async throws -> BegunAuthentication {
        let challenge = configuration.random(32)
        let fallbackToken = newToken()
        let now = now
        return try await writes.write { db in
            try SessionRow.purge(expiredBy: now, db)
            let (pending, allowed, userID) = try pending(for: request, token: token, at: now, db)
            let existing = try SessionRow.find(token: token, at: now, db)
            var session = existing ?? SessionRow(token: fallbackToken, at: now, lifetime: .zero)
            if session.userId == nil {
                session.expiresAt = now + configuration.challengeLifetime
                try session.store(db)
                if existing == nil {
                    try SessionRow.dropOldestAnonymous(beyond: configuration.maximumAnonymousSessions, db)
                }
            }
            try Challenge(
                challenge, for: pending, .authentication, session: session, userID: userID,
                expiresAt: now + configuration.challengeLifetime
            ).issue(isFirst: existing == nil, db)
            return BegunAuthentication(
                options: RequestOptions(
                    challenge: challenge, timeout: timeout, rpId: configuration.relyingPartyID,
                    allowCredentials: allowed, userVerification: pending.userVerification,
                    extensions: configuration.appID.map { ClientExtensionInputs(appid: $0) }),
                newToken: existing == nil ? fallbackToken : nil)
        }
    }

    private func pending(
        for request: AuthenticationRequest, token: SessionToken?, at now: Timestamp, _ db: Database
    ) throws -> (PendingAuthentication, allowed: [CredentialDescriptor], userID: Int64?) {
        let purpose = request.purpose ?? .signIn
        var username = try request.username.map(Label.username)
        var userID: Int64?
        var allowed: [CredentialDescriptor] = []
        switch purpose {
        case .reauthenticate:
            let account = try caller(token, at: now, db).account
            (username, userID) = (account.username, account.id)
            allowed = try account.passkeys(db).map(\.descriptor)
        case .signIn:
            guard let name = username else { break }
            allowed = try AccountRow.find(username: name, db)?.passkeys(db).map(\.descriptor) ?? []
            if allowed.isEmpty { allowed = decoys.descriptors(for: name) }
        }
        let demands = configuration.userVerification
        let demand = purpose == .signIn ? demands.signIn : demands.reauthentication
        let pending = PendingAuthentication(
            purpose: purpose, userVerification: demand.raised(to: request.userVerification), username: username,
            allowed: allowed.map(\.id))
        return (pending, allowed, userID)
    }
}
