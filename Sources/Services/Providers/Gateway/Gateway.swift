internal import Foundation
internal import GRDB
internal import JWTKit
internal import LoopbackHTTP
internal import RelyingPartyServer
internal import Synchronization

/// The app's own backend: logins, sessions with refresh tokens, and the app's data.
struct Gateway: Sendable {
    let site: RelyingPartySite
    let app: AppRegistration
    let conditions: ServiceConditions
    let providers: [OpenIDProviderName: OpenIDKeyCache]
    let secret: ServiceSecret

    var settings: GatewaySettings { conditions.current.gateway }

    /// The settings for a decision about the end of a session.
    private var settingsOfSessions: GatewaySettings {
        conditions.note(.sessionLifetime)
        conditions.note(.inactivityLimit)
        return settings
    }

    var now: Timestamp { Timestamp(site.configuration.clock()) }

    /// The rules of a user's organisation.
    func policy(in organisation: Organisation?) -> PolicyAnswer {
        let settings = settings
        guard let organisation, let own = settings.organisationBiometrics[organisation] else {
            conditions.note(.biometrics)
            return PolicyAnswer(biometrics: settings.biometrics)
        }
        conditions.note(.rule(organisation))
        return PolicyAnswer(biometrics: own)
    }

    private var issuer: String { site.baseURL + "/gateway/v1" }

    /// A random identifier in the form of a UUID (RFC 9562 §5.4).
    func newIdentifier() -> String {
        var bytes = site.configuration.random(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        let hex = bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
        let groups = [hex[0..<4], hex[4..<6], hex[6..<8], hex[8..<10], hex[10...]]
        return groups.map { $0.joined() }.joined(separator: "-")
    }
}

/// A secret of the services, created at its first use.
final class ServiceSecret: Sendable {
    private let name: String
    private let cached = Mutex<[UInt8]?>(nil)

    init(_ name: String) { self.name = name }

    func bytes(of site: RelyingPartySite) throws -> [UInt8] {
        if let bytes = cached.withLock({ $0 }) { return bytes }
        let bytes = try site.secret(name)
        cached.withLock { $0 = bytes }
        return bytes
    }

    /// A collection with the secret as its key, for HS256.
    func keys(of site: RelyingPartySite) async throws -> JWTKeyCollection {
        let keys = SnakeCase.keys()
        await keys.add(
            hmac: HMACKey(from: try bytes(of: site)), digestAlgorithm: .sha256, parser: SnakeCase.parser,
            serializer: SnakeCase.serializer)
        return keys
    }
}

// MARK: users

extension Gateway {
    func login(
        _ provider: OpenIDProviderName, _ request: ProviderLoginRequest, installation: String?
    ) async throws -> SessionAnswer {
        let user = try await user(of: provider, request)
        return try await open(user.id, by: LoginMethod(provider), installation: installation)
    }

    /// The user of a login at a provider, with the facts that it verifies.
    func user(of provider: OpenIDProviderName, _ request: ProviderLoginRequest) async throws -> GatewayUser {
        let (identity, record) = try await identity(provider, request)
        let newID = newIdentifier()
        return try await site.database.write { [site] db in
            var user =
                try GatewayUser.find(identity, record, db)
                ?? Self.newUser(of: identity, record, newID: newID, of: site, db)
            try user.adopt(identity, record, db)
            return user
        }
    }

    /// Adds a login at a provider to a user who is signed in.
    ///
    /// A login never joins an account by its address alone, because another user may have made that account.
    func link(_ provider: OpenIDProviderName, _ request: ProviderLoginRequest, to caller: GatewayCaller) async throws
        -> UserAnswer
    {
        let (identity, record) = try await identity(provider, request)
        let userID = caller.user.id
        let user = try await site.database.write { db in
            guard var user = try GatewayUser.fetchOne(db, key: userID) else { throw APIError.sessionNotFound(401) }
            // The mailbox's owner would otherwise share the account with the provider's login of a stranger.
            guard user.emailVerified || user.identityVerified else { throw APIError.addressUnproved }
            let owner = try GatewayUser.find(identity, record, db)
            guard owner == nil || owner?.id == userID else { throw APIError.identityLinked }
            try user.adopt(identity, record, db)
            return user
        }
        return try await answer(user)
    }

    private func identity(
        _ provider: OpenIDProviderName, _ request: ProviderLoginRequest
    ) async throws -> (ProviderIdentity, MemberSync.Record?) {
        guard let keys = providers[provider] else { throw APIError.internalError }
        let client = OpenIDClient(provider: provider, site: site, clientID: app.clientID, cache: keys)
        let identity = try await client.identity(
            code: request.code, verifier: request.codeVerifier, redirectURI: request.redirectURI, nonce: request.nonce)
        let user = try await site.database.snapshot { db in try GatewayUser.find(identity, nil, db) }
        return (identity, try await MemberSync(site: site).member(of: identity, in: user?.organisation))
    }

    func login(_ request: PasswordLoginRequest, address: String?, installation: String?) async throws -> SessionAnswer {
        let account = try await checkPassword(request.password, of: request.email, address: address)
        let user = try await user(of: account, provesAddress: false)
        return try await open(user.id, by: .password, of: account, installation: installation)
    }

    /// - Throws: `invalid_credentials` and `over_request_rate_limit`.
    @discardableResult
    func checkPassword(_ password: String, of email: String, address: String?) async throws -> RelyingPartyAccount {
        do {
            return try await site.checkPassword(password, of: email, address: address)
        } catch let error as APIError where error.status == 429 {
            throw APIError.overRequestRateLimit(error)
        } catch let error as APIError where error.status == 401 {
            throw APIError.invalidCredentials
        }
    }

    /// Logs in with the access token of a custom authentication, which works here once.
    ///
    /// The new session replaces the token's. Its counter starts at 1, because 0 marks a session that is not exchanged yet.
    func login(_ request: CustomAuthLoginRequest, installation: String?) async throws -> SessionAnswer {
        let caller = try await caller(request.accessToken)
        let old = caller.session
        guard old.method == .otp || old.method == .passkey, old.counter == 0 else { throw APIError.customAuthRequired }
        let session = GatewaySession(
            id: newIdentifier(), userID: old.userID, method: old.method, credentialID: old.credentialID,
            createdAt: old.createdAt, refreshedAt: old.refreshedAt, counter: 1,
            steppedUpAt: nil, installation: installation)
        try await site.database.write { db in
            guard try old.delete(db) else { throw APIError.sessionNotFound(401) }
            try session.replaceOthers(db)
        }
        return try await answer(session, caller.user)
    }

    /// The user of an account; a member's role follows from an address that the user has proved.
    ///
    /// The first proof takes away the access that the account had before: its password, its passkeys and its sessions.
    func user(of account: RelyingPartyAccount, provesAddress: Bool) async throws -> GatewayUser {
        let newID = newIdentifier()
        let user = try await site.database.write { [site] db in
            var user = try Self.user(of: account, newID: newID, db)
            guard provesAddress, !user.emailVerified else { return user }
            try site.removeAccess(toAccount: account.id, db)
            try GatewaySession.filter(Column("user_id") == user.id).deleteAll(db)
            user.emailVerified = true
            try user.update(db)
            return user
        }
        return try await current(user)
    }

    /// A user with the role that the member system has now; the last known one while it gives no answer.
    func current(_ user: GatewayUser) async throws -> GatewayUser {
        let sync = MemberSync(site: site)
        let record: MemberSync.Record?
        if let id = user.memberID, let organisation = user.organisation {
            record = await sync.member(id: id, in: organisation)
        } else {
            let logins = try await site.database.snapshot { db in try user.logins(db) }
            record = await sync.member(logins: logins, email: user.emailVerified ? user.email : nil)
        }
        guard let record, record.role != user.role || record.id != user.memberID else { return user }
        return try await site.database.write { db in
            var user = try GatewayUser.fetchOne(db, key: user.id) ?? user
            user.adopt(record)
            try user.update(db)
            return user
        }
    }

    private static func user(of account: RelyingPartyAccount, newID: String, _ db: Database) throws -> GatewayUser {
        if let user = try GatewayUser.filter(Column("account_id") == account.id).fetchOne(db) { return user }
        let user = GatewayUser(
            id: newID, accountID: account.id, email: account.username, name: account.displayName, role: .peerMentor,
            organisation: nil, identityVerified: false, emailVerified: false, memberID: nil, nationalID: nil, logins: 0)
        try user.insert(db)
        return user
    }

    /// Makes the user of a new login, with the verified address unless another account has it.
    private static func newUser(
        of identity: ProviderIdentity, _ record: MemberSync.Record?, newID: String, of site: RelyingPartySite,
        _ db: Database
    ) throws -> GatewayUser {
        let address = record?.email ?? identity.email
        let isFree = try address.map { try site.existingAccount(named: $0, db) == nil } ?? false
        let email = isFree ? address : nil
        let name = identity.name ?? record?.name ?? address ?? identity.subject
        let account = try site.account(
            // A name that no other user can have taken before.
            named: email ?? "\(newID)@\(identity.provider.rawValue).example", displayName: name, db)
        var user = try user(of: account, newID: newID, db)
        user.emailVerified = email != nil
        return user
    }
}

// MARK: sessions

extension Gateway {
    /// Opens a session.
    ///
    /// - Parameter account: the account whose password was right; a reset may have replaced that password meanwhile.
    func open(
        _ userID: String, by method: LoginMethod, of account: RelyingPartyAccount? = nil, credentialID: [UInt8]? = nil,
        installation: String? = nil
    ) async throws -> SessionAnswer {
        let (now, id) = (now, newIdentifier())
        let (user, session) = try await site.database.write { [site] db in
            if let account, try !site.isPasswordCurrent(account, db) { throw APIError.invalidCredentials }
            guard var user = try GatewayUser.fetchOne(db, key: userID) else { throw APIError.sessionNotFound(400) }
            user.logins += 1
            try user.update(db)
            let session = GatewaySession(
                id: id, userID: userID, method: method, credentialID: credentialID.map { Data($0) },
                createdAt: now.rawValue, refreshedAt: now.rawValue, counter: 0, steppedUpAt: nil,
                installation: installation)
            try session.replaceOthers(db)
            return (user, session)
        }
        return try await answer(session, user)
    }

    /// Refreshes a session: a refresh token is good once, and its use again ends the session.
    ///
    /// The token before the active one gives the active one again, because the client may not have received it; so does
    /// any token within the reuse interval.
    ///
    /// - Parameter rotates: whether the client gets another refresh token.
    func refresh(_ text: String, rotates: Bool = true) async throws -> SessionAnswer {
        guard let token = RefreshToken(text, secret: try secret.bytes(of: site)) else {
            throw APIError.refreshTokenNotFound
        }
        let (now, settings) = (now, settingsOfSessions)
        let outcome = try await site.database.write { db -> RefreshOutcome in
            guard var session = try GatewaySession.fetchOne(db, key: token.sessionID),
                let user = try GatewayUser.fetchOne(db, key: session.userID)
            else { return .refused(.sessionNotFound(400)) }
            guard !session.hasExpired(at: now, settings) else { return .refused(.sessionExpired(400)) }
            let sinceRefresh = now - Timestamp(rawValue: session.refreshedAt)
            switch session.counter - token.counter {
            case 0:
                if rotates { session.counter += 1 }
                session.refreshedAt = now.rawValue
                try session.update(db)
            case 1: break
            case 2... where sinceRefresh < GatewaySettings.reuseInterval: break
            default:
                try session.delete(db)
                return .refused(.refreshTokenAlreadyUsed)
            }
            return .done(session, user)
        }
        switch outcome {
        case .done(let session, let user): return try await answer(session, try await current(user))
        case .refused(let error): throw error
        }
    }

    /// A refusal that keeps the writes of the transaction.
    private enum RefreshOutcome: Sendable {
        case done(GatewaySession, GatewayUser)
        case refused(APIError)
    }

    enum LogoutScope: String {
        case local, global, others
    }

    func logout(_ caller: GatewayCaller, _ scope: LogoutScope) async throws {
        let (sessionID, userID) = (caller.session.id, caller.user.id)
        try await site.database.write { db in
            let ofUser = GatewaySession.filter(Column("user_id") == userID)
            switch scope {
            case .local: try GatewaySession.filter(Column("id") == sessionID).deleteAll(db)
            case .global: try ofUser.deleteAll(db)
            case .others: try ofUser.filter(Column("id") != sessionID).deleteAll(db)
            }
        }
    }

    /// Ends the session of a refresh token, whatever its age; an unknown token has no session (RFC 7009 §2.2).
    func revoke(_ text: String) async throws {
        guard let token = RefreshToken(text, secret: try secret.bytes(of: site)) else { return }
        _ = try await site.database.write { db in
            try GatewaySession.filter(Column("id") == token.sessionID).deleteAll(db)
        }
    }

    private func answer(_ session: GatewaySession, _ user: GatewayUser) async throws -> SessionAnswer {
        let settings = settingsOfSessions
        conditions.note(.accessLifetime)
        let issuedAt = Int(now.rawValue / 1000)
        let lifetime = Int(settings.accessLifetime.components.seconds)
        let token = GatewayAccessToken(
            iss: issuer, sub: user.id, aud: "authenticated", iat: issuedAt, exp: issuedAt + lifetime,
            sessionId: session.id, role: "authenticated", aal: session.method == .passkey ? "aal2" : "aal1",
            amr: [session.method], email: user.email)
        let refresh = RefreshToken(sessionID: session.id, counter: session.counter)
        return SessionAnswer(
            accessToken: try await secret.keys(of: site).sign(token), expiresIn: lifetime, expiresAt: token.exp,
            refreshToken: refresh.text(secret: try secret.bytes(of: site)),
            sessionExpiresAt: Int(session.end(settings).rawValue / 1000), user: try await answer(user),
            firstLogin: user.logins == 1, policy: policy(in: user.organisation))
    }

    func answer(_ user: GatewayUser) async throws -> UserAnswer {
        let (hasPassword, createdAt, logins) = try await site.database.snapshot { [site] db in
            (
                try site.hasPassword(accountID: user.accountID, db),
                try site.creation(ofAccount: user.accountID, db) ?? now, try user.providers(db)
            )
        }
        return UserAnswer(user, hasPassword: hasPassword, createdAt: createdAt, providers: logins)
    }

    /// - Throws: `no_authorization`, `bad_jwt`, `session_expired` or `session_not_found`.
    func caller(_ token: String) async throws -> GatewayCaller {
        guard let claims = try? await secret.keys(of: site).verify(token, as: GatewayAccessToken.self),
            claims.iss == issuer, claims.aud == "authenticated"
        else { throw APIError.badJWT }
        let now = now
        guard now < Timestamp(.seconds(claims.exp)) else { throw APIError.sessionExpired(401) }
        return try await site.database.snapshot { [settings = settingsOfSessions] db in
            guard let session = try GatewaySession.fetchOne(db, key: claims.sessionId),
                !session.hasExpired(at: now, settings), let user = try GatewayUser.fetchOne(db, key: session.userID)
            else { throw APIError.sessionNotFound(401) }
            return GatewayCaller(session: session, user: user)
        }
    }
}

/// The user and the session of a request.
struct GatewayCaller: Sendable {
    let session: GatewaySession
    let user: GatewayUser
}
