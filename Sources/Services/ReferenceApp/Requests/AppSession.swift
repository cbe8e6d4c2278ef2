internal import Foundation

/// A session as the gateway answers it.
package struct AppSession: Hashable, Codable, Sendable {
    package struct User: Hashable, Codable, Sendable {
        var id: String
        var name: String
        var role: AppRole
        var email: String?
        /// Whether a password can confirm a step-up.
        var hasPassword: Bool?

        private enum CodingKeys: String, CodingKey {
            case id, name, role, email
            case hasPassword = "has_password"
        }
    }

    package var accessToken: String
    package var refreshToken: String
    /// The end of the access token, in seconds since the Unix epoch.
    package var expiresAt: Double
    /// The end of the session, in seconds since the Unix epoch; nil when the server tells none.
    package var sessionExpiresAt: Double?
    package var user: User
    /// The key of the kept personal data, 32 bytes as base64; only the item that the sensor guards has it.
    var detailsKey: String?
    /// The organisation's policy; nil when the server tells none.
    package var policy: OrganisationPolicy?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresAt = "expires_at"
        case sessionExpiresAt = "session_expires_at"
        case user, policy
        case detailsKey = "details_key"
    }

    /// The text for secure storage.
    var stored: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    init?(stored: String) {
        guard let session = try? JSONDecoder().decode(AppSession.self, from: Data(stored.utf8)) else { return nil }
        self = session
    }
}

/// The organisation's rules for its app, as the backend tells them.
package struct OrganisationPolicy: Hashable, Codable, Sendable {
    /// The backend's words for the policies.
    enum Biometrics: String, Codable, Sendable {
        case allowed, forbidden, required
    }

    var biometrics: Biometrics
}

/// The live data of home.
struct HomeData: Decodable {
    var activities: Int
    var expenseClaims: Int
    /// The activities of a coordinator's peer mentors.
    var peerMentorActivities: Int?
    /// The app's users in an administrator's organisation.
    var users: Int?
    var role: AppRole?
    var policy: OrganisationPolicy?

    private enum CodingKeys: String, CodingKey {
        case activities, users, role, policy
        case expenseClaims = "expense_claims"
        case peerMentorActivities = "peer_mentor_activities"
    }

    var lines: [String] {
        ["Activities: \(activities)", "Expense claims: \(expenseClaims)"]
            + [
                peerMentorActivities.map { "Peer mentors' activities: \($0)" }, users.map { "Users of the app: \($0)" },
            ].compactMap { $0 }
    }
}

/// The members that the user's role may see.
struct PeopleData: Decodable {
    var people: [Colleague]
}

/// A member of the user's organisation.
package struct Colleague: Hashable, Decodable, Sendable {
    var name: String
    var role: AppRole
}

/// The personal data of the user, which a step-up reveals.
struct RevealedData: Decodable {
    var nationalID: String?
    var email: String?
    var phone: String?
    var address: String?

    private enum CodingKeys: String, CodingKey {
        case email, phone, address
        case nationalID = "national_id"
    }

    var lines: [String] { [nationalID, email, phone, address].compactMap { $0 } }
}

/// Cognito's answer: a challenge, or tokens.
struct CustomAuthAnswer: Decodable {
    struct Parameters: Decodable { var token: String? }
    struct Tokens: Decodable {
        var accessToken: String

        private enum CodingKeys: String, CodingKey { case accessToken = "AccessToken" }
    }

    var session: String?
    var parameters: Parameters?
    var tokens: Tokens?

    private enum CodingKeys: String, CodingKey {
        case session = "Session"
        case parameters = "ChallengeParameters"
        case tokens = "AuthenticationResult"
    }
}

/// Authsignal's answer to a verified code or passkey.
struct SignalAnswer: Decodable {
    var username: String?
    var token: String

    private enum CodingKeys: String, CodingKey {
        case username
        case token = "accessToken"
    }
}

/// The begin of a passkey ceremony: the identifier of its challenge, and the options as JSON.
struct PasskeyCeremony {
    let challenge: String
    let options: String

    init?(_ answer: AppAnswer) {
        guard case .response(200, let body) = answer,
            let object = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any],
            let challenge = object["challengeId"] as? String, let options = object["options"] as? [String: Any],
            let json = try? JSONSerialization.data(
                withJSONObject: options, options: [.sortedKeys, .withoutEscapingSlashes])
        else { return nil }
        self.challenge = challenge
        self.options = String(decoding: json, as: UTF8.self)
    }
}

/// An authenticator in the user's list at Authsignal.
struct Authenticator: Decodable {
    struct Credential: Decodable {
        var credentialId: String
        var name: String?
    }

    var createdAt: String?
    var lastVerifiedAt: String?
    var webauthnCredential: Credential?

    /// The passkey; nil for another kind.
    var passkey: Passkey? {
        webauthnCredential.map {
            Passkey(
                credentialId: $0.credentialId, deviceName: $0.name, createdAt: createdAt, lastUsedAt: lastVerifiedAt)
        }
    }
}

/// A row of the passkey settings.
package struct Passkey: Hashable, Sendable {
    package var credentialId: String
    package var deviceName: String?
    /// ISO 8601.
    package var createdAt: String?
    package var lastUsedAt: String?
}
