/// The body of `POST /gateway/v1/login/{provider}`.
struct ProviderLoginRequest: Decodable, Sendable {
    let code: String
    let codeVerifier: String
    let redirectURI: String
    let nonce: String

    enum CodingKeys: String, CodingKey {
        case code, nonce
        case codeVerifier = "code_verifier"
        case redirectURI = "redirect_uri"
    }
}

/// The body of `POST /gateway/v1/login/cognito`.
struct CustomAuthLoginRequest: Decodable, Sendable {
    let accessToken: String

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
    }
}

/// The body of `POST /gateway/v1/token?grant_type=password`.
struct PasswordLoginRequest: Decodable, Sendable {
    let email: String
    let password: String
}

/// The body of `POST /gateway/v1/token?grant_type=refresh_token`.
struct RefreshRequest: Decodable, Sendable {
    let refreshToken: String

    enum CodingKeys: String, CodingKey {
        case refreshToken = "refresh_token"
    }
}
