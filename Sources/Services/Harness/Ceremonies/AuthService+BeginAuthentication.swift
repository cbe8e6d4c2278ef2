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
        return try await database.write { db in
            try Session.purge(expiredBy: now, db)
            let (pending, allowed, userID) = try pending(for: request, token: token, at: now, db)
            let existing = try Session.find(token: token, at: now, db)
            guard
                let session = try existing
                    ?? Session.startAnonymous(
                        token: fallbackToken, at: now, lifetime: configuration.challengeLifetime, db)
            else { throw APIError.internalError }
            if session.userID == nil { try session.extend(to: now + configuration.challengeLifetime, db) }
            try Challenge.issue(
                challenge, for: pending, kind: .authentication, session: session, userID: userID,
                expiresAt: now + configuration.challengeLifetime, db)
            return BegunAuthentication(
                options: RequestOptions(
                    challenge: challenge, timeout: timeout, rpId: configuration.relyingPartyID,
                    allowCredentials: allowed, userVerification: pending.userVerification),
                newToken: existing == nil ? fallbackToken : nil)
        }
    }

    private func pending(
        for request: AuthenticationRequest, token: SessionToken?, at now: Timestamp, _ db: Database
    ) throws -> (PendingAuthentication, allowed: [CredentialDescriptor], userID: Int64?) {
        let purpose = request.purpose ?? .signIn
        var username = request.username
        var userID: Int64?
        var allowed: [CredentialDescriptor] = []
        switch purpose {
        case .reauthenticate:
            let (_, account) = try signedIn(token, at: now, db)
            (username, userID) = (account.username, account.id)
            allowed = try Passkey.all(of: account.id, db).map(\.descriptor)
        case .signIn:
            guard let name = username else { break }
            allowed =
                try Account.find(username: name, db).map { try Passkey.all(of: $0.id, db) }?.map(\.descriptor) ?? []
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
