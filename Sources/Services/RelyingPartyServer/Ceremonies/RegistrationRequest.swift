internal import WebAuthn

/// The body of `POST /passkeys/register/begin`; every member is optional.
struct RegistrationRequest: Decodable, Sendable {
    var authenticatorAttachment: AuthenticatorAttachment?
    var residentKey: ResidentKeyRequirement?
    var userVerification: UserVerificationRequirement?
    var attestation: AttestationConveyancePreference?
}
