internal import Crypto
internal import WebAuthn

/// The OpenID providers, with the differences between them.
package enum OpenIDProviderName: String, CaseIterable, Hashable, Sendable, Codable {
    case bankid, vipps

    package var service: ServiceName {
        switch self {
        case .bankid: .bankid
        case .vipps: .vipps
        }
    }

    package var title: String {
        switch self {
        case .bankid: "BankID"
        case .vipps: "Vipps"
        }
    }

    /// The login as the member system's audit list names it, such as `vipps-login`.
    package var auditSource: String { rawValue + "-login" }

    /// The paths of its endpoints: BankID's are Keycloak's, Vipps' are those of its login API.
    var paths: OpenIDPaths {
        switch self {
        case .bankid:
            OpenIDPaths(
                issuer: "/bankid", discovery: "/bankid/.well-known/openid-configuration",
                authorization: "/bankid/protocol/openid-connect/auth", token: "/bankid/protocol/openid-connect/token",
                userInfo: "/bankid/protocol/openid-connect/userinfo", keys: "/bankid/protocol/openid-connect/certs")
        case .vipps:
            OpenIDPaths(
                issuer: "/vipps/access-management-1.0/access/",
                discovery: "/vipps/access-management-1.0/access/.well-known/openid-configuration",
                authorization: "/vipps/access-management-1.0/access/oauth2/auth",
                token: "/vipps/access-management-1.0/access/oauth2/token",
                userInfo: "/vipps/vipps-userinfo-api/userinfo",
                keys: "/vipps/access-management-1.0/access/.well-known/jwks.json")
        }
    }

    var scopes: [String] {
        switch self {
        case .bankid: ["openid", "profile", Self.nationalIDScope(of: self)]
        case .vipps: ["openid", "name", "phoneNumber", "email", "address", "birthDate", Self.nationalIDScope(of: self)]
        }
    }

    /// The data that a scope gives the app, in words for the user.
    static func words(ofScope scope: String) -> String {
        switch scope {
        case "openid": "That it is you"
        case "profile": "Your name and date of birth"
        case "name": "Your name"
        case "phoneNumber": "Your phone number"
        case "email": "Your e-mail address"
        case "address": "Your address"
        case "birthDate": "Your date of birth"
        default: "Your personnummer"
        }
    }

    /// The scope of the personnummer, which is also the claim's name.
    package static func nationalIDScope(of provider: OpenIDProviderName) -> String {
        switch provider {
        case .bankid: "nnin_altsub"
        case .vipps: "nin"
        }
    }

    /// The place of the personnummer unless a test chooses another.
    var nationalIDPlace: NationalIDPlace {
        switch self {
        case .bankid: .idToken
        case .vipps: .userInfo
        }
    }

    /// A resident's subject at this provider, different at each one.
    func subject(of resident: Resident) -> String {
        let hash = Array(SHA256.hash(data: Array("\(rawValue) \(resident.nationalID)".utf8)))
        return Base64URL.encode(Array(hash.prefix(16)))
    }

    var accessTokenLifetime: Duration {
        switch self {
        case .bankid: .seconds(300)
        case .vipps: .seconds(600)
        }
    }

    var minimumStateLength: Int {
        switch self {
        case .bankid: 1
        case .vipps: 8
        }
    }
}

/// The paths of a provider's endpoints.
struct OpenIDPaths: Sendable {
    let issuer: String
    let discovery: String
    let authorization: String
    let token: String
    let userInfo: String
    let keys: String

    /// The form of the authorization page posts the user's decision here.
    var decision: String { authorization + "/decision" }
}
