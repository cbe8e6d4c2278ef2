/// An OpenID provider.
package enum Provider: String, CaseIterable, Codable, Sendable {
    case bankID = "bankid"
    case vipps

    package var name: String {
        switch self {
        case .bankID: "BankID"
        case .vipps: "Vipps"
        }
    }

    /// The provider to try in its place.
    var other: Provider {
        switch self {
        case .bankID: .vipps
        case .vipps: .bankID
        }
    }

    var page: AppScreen {
        switch self {
        case .bankID: .bankIDPage
        case .vipps: .vippsPage
        }
    }

    package var authorizationPath: String {
        switch self {
        case .bankID: "/bankid/protocol/openid-connect/auth"
        case .vipps: "/vipps/access-management-1.0/access/oauth2/auth"
        }
    }

    var scopes: String {
        switch self {
        case .bankID: "openid profile nnin_altsub"
        case .vipps: "openid name phoneNumber email nin"
        }
    }
}
