internal import WebAuthn

/// A session as its own client sees it.
struct SessionSummary: Encodable, Sendable {
    let user: UserSummary
    let authenticatedBy: Session.Authentication?
    let createdAt: Timestamp
    let expiresAt: Timestamp
    let reauthenticatedAt: Timestamp?
    /// Whether what needs a re-authentication is allowed now.
    let isFresh: Bool
}

/// An account as its own user sees it.
struct UserSummary: Encodable, Sendable {
    let userHandle: Base64URLBytes
    let username: String
    let displayName: String
    let hasPassword: Bool
}

/// The answer to a sign-in: the new token, which is also set as a cookie, and its session.
struct SignedIn: Encodable, Sendable {
    let token: String
    let session: SessionSummary
}
