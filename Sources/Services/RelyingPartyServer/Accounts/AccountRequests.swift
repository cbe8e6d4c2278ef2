/// The body of `POST /accounts`.
struct AccountRequest: Decodable, Sendable {
    let username: String
    let displayName: String
    let password: String?
}

/// The body of `POST /password/sign-in`.
struct PasswordSignInRequest: Decodable, Sendable {
    let username: String
    let password: String
}

/// The body of `PUT /password`.
struct PasswordChangeRequest: Decodable, Sendable {
    let password: String
    /// Replaces a re-authentication.
    let currentPassword: String?
}
