internal import WebAuthn

/// The body of `POST /passkeys/authenticate/begin`; every member is optional.
struct AuthenticationRequest: Decodable, Sendable {
    var username: String?
    var userVerification: UserVerificationRequirement?
    var purpose: PendingAuthentication.Purpose?
}
