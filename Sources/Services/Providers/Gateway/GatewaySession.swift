internal import Foundation
internal import GRDB
internal import JWTKit
internal import RelyingPartyServer

/// A row of `gateway_users`.
struct GatewayUser: Codable, FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "gateway_users"

    let id: String
    let accountID: Int64
    let email: String
    var name: String
    var role: MemberRole
    /// The organisation of the member's record.
    var organisation: Organisation?
    var identityVerified: Bool
    /// Whether the user has proved the address: with a code from its mailbox, or by a provider that vouches for it.
    var emailVerified: Bool
    /// The member's record; nil until a verified identity or a verified address names it.
    var memberID: String?
    var nationalID: String?
    var logins: Int

    enum CodingKeys: String, CodingKey {
        case id, email, name, role, organisation, logins
        case accountID = "account_id"
        case identityVerified = "identity_verified"
        case emailVerified = "email_verified"
        case memberID = "member_id"
        case nationalID = "national_id"
    }
}

/// The way a session was opened.
enum LoginMethod: String, Codable, Sendable, DatabaseValueConvertible {
    case bankid, vipps, password, otp, passkey
    /// A code of a password reset.
    case recovery

    init(_ provider: OpenIDProviderName) {
        switch provider {
        case .bankid: self = .bankid
        case .vipps: self = .vipps
        }
    }
}

/// A row of `gateway_sessions`.
struct GatewaySession: Codable, FetchableRecord, PersistableRecord, Sendable {
    static let databaseTableName = "gateway_sessions"

    let id: String
    let userID: String
    var method: LoginMethod
    let credentialID: Data?
    let createdAt: Int64
    var refreshedAt: Int64
    /// The number of the active refresh token.
    var counter: Int64
    /// The time of a step-up that no protected operation has used.
    var steppedUpAt: Int64?
    /// The app's installation, which has one session at a time; nil for a client that names none.
    var installation: String?

    enum CodingKeys: String, CodingKey {
        case id, method, counter
        case userID = "user_id"
        case credentialID = "credential_id"
        case createdAt = "created_at"
        case refreshedAt = "refreshed_at"
        case installation
        case steppedUpAt = "stepped_up_at"
    }

    /// Stores a new session, and ends the earlier session of its installation, because a login
    /// without the old tokens cannot end it.
    func replaceOthers(_ db: Database) throws {
        if let installation {
            try GatewaySession.filter(Column("installation") == installation).deleteAll(db)
        }
        try insert(db)
    }

    /// Its end, by its age or by the time without a refresh, unless a refresh comes before.
    func end(_ settings: GatewaySettings) -> Timestamp {
        let oldest = Timestamp(rawValue: createdAt) + settings.sessionLifetime
        guard let limit = settings.inactivityLimit else { return oldest }
        return min(oldest, Timestamp(rawValue: refreshedAt) + limit)
    }

    func hasExpired(at now: Timestamp, _ settings: GatewaySettings) -> Bool { now >= end(settings) }
}

/// The claims of an access token.
struct GatewayAccessToken: JWTPayload {
    let iss: String
    let sub: String
    let aud: String
    let iat: Int
    let exp: Int
    let sessionId: String
    let role: String
    let aal: String
    let amr: [LoginMethod]
    let email: String

    // The gateway judges its times by its own clock.
    func verify(using key: some JWTAlgorithm) {}
}

/// A session, as its client gets it.
struct SessionAnswer: Encodable, Sendable {
    let accessToken: String
    let tokenType = "bearer"
    let expiresIn: Int
    let expiresAt: Int
    let refreshToken: String
    /// The end of the session itself, in seconds since the Unix epoch: a client prompts for no session that has ended.
    let sessionExpiresAt: Int
    let user: UserAnswer
    let firstLogin: Bool
    let policy: PolicyAnswer
}

/// A user, as the client gets them.
struct UserAnswer: Encodable, Sendable {
    let id: String
    let name: String
    let role: MemberRole
    let organisation: Organisation?
    let email: String
    let identityVerified: Bool
    let emailVerified: Bool
    let nationalId: String?
    /// Whether the user can confirm a step-up with a password.
    let hasPassword: Bool
    // The members that clients of Supabase Auth demand of a user.
    let aud = "authenticated"
    let createdAt: String
    let appMetadata: Metadata
    let userMetadata: [String: String]

    /// The ways to log in.
    struct Metadata: Encodable, Sendable {
        let provider: String
        let providers: [String]
    }

    init(_ user: GatewayUser, hasPassword: Bool, createdAt: Timestamp, providers: [OpenIDProviderName]) {
        self.hasPassword = hasPassword
        self.createdAt = createdAt.iso8601
        let names = ["email"] + providers.map(\.rawValue)
        appMetadata = Metadata(provider: names[0], providers: names)
        userMetadata = ["name": user.name]
        emailVerified = user.emailVerified
        id = user.id
        name = user.name
        role = user.role
        organisation = user.organisation
        email = user.email
        identityVerified = user.identityVerified
        nationalId = user.nationalID
    }
}

/// The organisation's rules.
struct PolicyAnswer: Encodable, Sendable {
    let biometrics: BiometricsRule
}
