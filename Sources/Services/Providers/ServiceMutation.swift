internal import Mutations

/// Behaviours of the services that a mutation run switches off.
package enum ServiceMutation: String, Mutation {
    package static let room = "service"

    /// A provider's code is good once.
    case codeUse
    /// A provider's code expires.
    case codeExpiry
    /// A provider's code needs the verifier of its challenge.
    case codeVerifier
    /// The ID token's signature is verified.
    case tokenSignature
    /// The ID token has the nonce of the attempt.
    case nonce
    /// The ID token is the provider's.
    case issuer
    /// The ID token is for this client.
    case audience
    /// The ID token expires.
    case tokenExpiry
    /// The gateway reads the provider's keys again for an unknown one.
    case keyRotation
    /// Userinfo is about the subject of the ID token.
    case subject
    /// A refresh gives another refresh token.
    case refreshRotation
    /// A refresh token that is used again ends the session.
    case refreshReuse
    /// A session ends.
    case sessionLifetime
    /// An access token ends.
    case accessLifetime
    /// A logout ends the session.
    case logout
    /// A submission with a known key is not stored again.
    case idempotency
    /// The role comes from the member system.
    case memberRole
    /// A login brings the personnummer to the member system.
    case memberUpdate
    /// A personnummer in the member system is not replaced by another.
    case memberConflict
    /// The audit list names the outcome.
    case memberAudit
    /// Wrong e-mail codes are counted.
    case emailCodeAttempts
    /// An e-mail code is good once.
    case emailCodeUse
    /// A result token is good once.
    case resultTokenUse
    /// A result token must be that of the expected user.
    case expectedUser
    /// The password flows are closed.
    case closedPasswordFlows
}
