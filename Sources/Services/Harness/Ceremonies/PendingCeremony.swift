internal import COSE
internal import WebAuthn

/// The two kinds of ceremony; a session has at most one of each under way.
enum CeremonyKind: String, Sendable {
    case registration, authentication
}

/// What a registration's options said, kept to judge the response by.
struct PendingRegistration: Codable, Sendable {
    var userVerification: UserVerificationRequirement
    var residentKey: ResidentKeyRequirement
    var attachment: AuthenticatorAttachment?
    var algorithms: [Int]
}

/// What an authentication's options said, kept to judge the response by.
struct PendingAuthentication: Codable, Sendable {
    /// What the response is to achieve.
    enum Purpose: String, Codable, Sendable {
        case signIn = "sign-in"
        case reauthenticate
    }

    var purpose: Purpose
    var userVerification: UserVerificationRequirement
    /// The user name that was given; nil when the response must say who it is.
    var username: String?
    /// The credentials listed in the options; empty when none were.
    var allowed: [Base64URLBytes]
}
