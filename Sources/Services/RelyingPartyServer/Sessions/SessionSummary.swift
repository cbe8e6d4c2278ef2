internal import WebAuthn

/// A session, as shown to its client.
struct SessionSummary: Encodable, Sendable {
    let user: UserSummary
    let authenticatedBy: SessionRow.Authentication?
    let createdAt: Timestamp
    let expiresAt: Timestamp
    let reauthenticatedAt: Timestamp?
    /// Whether actions that need a re-authentication are allowed now.
    let isFresh: Bool
}

/// An account, as shown to its user.
struct UserSummary: Encodable, Sendable {
    let userHandle: Base64URLBytes
    let username: String
    let displayName: String
    let hasPassword: Bool
}

/// The response to a sign-in: the new token, which is also set as a cookie, and its session.
struct SignedIn: Encodable, Sendable {
    let token: String
    let session: SessionSummary
}
