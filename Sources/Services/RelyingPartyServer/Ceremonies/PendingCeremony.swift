internal import GRDB
internal import WebAuthn

/// The two kinds of ceremony.
enum CeremonyKind: String, Codable, Sendable, DatabaseValueConvertible {
    case registration, authentication
}

/// The parts of a registration's options needed to verify the response.
struct PendingRegistration: Codable, Sendable {
    var userVerification: UserVerificationRequirement
    var residentKey: ResidentKeyRequirement
    var attachment: AuthenticatorAttachment?
    var algorithms: [Int]
}

/// The parts of an authentication's options needed to verify the response.
struct PendingAuthentication: Codable, Sendable {
    enum Purpose: String, Codable, Sendable {
        case signIn = "sign-in"
        case reauthenticate
    }

    var purpose: Purpose
    var userVerification: UserVerificationRequirement
    /// The user name in the request; nil when the response must identify the user.
    var username: String?
    var allowed: [Base64URLBytes]
}
