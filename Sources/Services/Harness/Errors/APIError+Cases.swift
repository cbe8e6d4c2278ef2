internal import LoopbackHTTP
internal import RelyingParty
internal import WebAuthn

extension APIError.Code {
    static let usernameInvalid = APIError.Code(rawValue: "username.invalid")
    static let usernameTaken = APIError.Code(rawValue: "username.taken")
    static let displayNameInvalid = APIError.Code(rawValue: "displayName.invalid")
    static let passwordInvalid = APIError.Code(rawValue: "password.invalid")
    static let passwordNotSet = APIError.Code(rawValue: "password.notSet")
    static let deviceNameInvalid = APIError.Code(rawValue: "deviceName.invalid")
    static let sessionRequired = APIError.Code(rawValue: "session.required")
    static let signInRefused = APIError.Code(rawValue: "signIn.refused")
    static let reauthenticationRequired = APIError.Code(rawValue: "reauthentication.required")
    static let credentialNotFound = APIError.Code(rawValue: "credential.notFound")
    static let credentialLast = APIError.Code(rawValue: "credential.last")
    static let attachmentNotAllowed = APIError.Code(rawValue: "attachment.notAllowed")
    static let registrationRefused = APIError.Code(rawValue: "registration.refused")
    static let authenticationRefused = APIError.Code(rawValue: "authentication.refused")
}

// MARK: accounts, sessions and credentials

extension APIError {
    static let usernameInvalid = APIError(
        400, .usernameInvalid, "A user name has 1 to 64 characters, none of them a control character or a space.")
    static let usernameTaken = APIError(409, .usernameTaken, "The user name is taken.")
    static let displayNameInvalid = APIError(
        400, .displayNameInvalid, "A display name has 1 to 64 characters, none of them a control character.")
    static let passwordInvalid = APIError(400, .passwordInvalid, "A password has 8 to 1024 bytes.")
    static let passwordNotSet = APIError(404, .passwordNotSet, "The account has no password.")
    static let deviceNameInvalid = APIError(
        400, .deviceNameInvalid, "A device name has 1 to 64 characters, none of them a control character.")
    static let sessionRequired = APIError(401, .sessionRequired, "Sign in first.")
    static let signInRefused = APIError(401, .signInRefused, "The user name or the password is wrong.")
    static let reauthenticationRequired = APIError(
        403, .reauthenticationRequired, "Re-authenticate, then try again.")
    static let credentialNotFound = APIError(404, .credentialNotFound, "The passkey was not found in this account.")
    static let credentialLast = APIError(
        409, .credentialLast, "This is the account's last credential; add another one first.")
    static let attachmentNotAllowed = APIError(
        403, .attachmentNotAllowed, "This kind of authenticator is not allowed here.")
}

// MARK: verdicts

extension APIError {
    static func registrationRefused(_ ledger: Ledger) -> APIError {
        APIError(422, .registrationRefused, sentence("registration", ledger), details: ["ledger": ledger.entries])
    }

    static func authenticationRefused(_ ledger: Ledger) -> APIError {
        APIError(401, .authenticationRefused, sentence("authentication", ledger), details: ["ledger": ledger.entries])
    }

    private static func sentence(_ ceremony: String, _ ledger: Ledger) -> String {
        guard let failure = ledger.firstFailure, let reason = failure.outcome.reasons.first else {
            return "The \(ceremony) could not be judged in full."
        }
        return "The \(ceremony) failed \(failure.step.rawValue) (\(reason.label.rawValue)): \(reason.explanation)."
    }
}
