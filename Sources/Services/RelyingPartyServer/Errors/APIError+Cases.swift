internal import HTTPTypes
package import LoopbackHTTP
internal import RelyingParty
internal import WebAuthn

// MARK: accounts, sessions and credentials

extension APIError {
    static let usernameInvalid = APIError(
        400, "username.invalid",
        "The user name is invalid; use 1 to 64 characters without spaces, control and bidirectional characters.")
    static let usernameTaken = APIError(409, "username.taken", "The user name is taken; choose another one.")
    static let displayNameInvalid = APIError(
        400, "displayName.invalid",
        "The display name is invalid; use 1 to 64 characters without control and bidirectional characters.")
    package static let passwordInvalid = APIError(
        400, "password.invalid", "The password is too short or too long; use 8 to 1024 bytes.")
    static let passwordNotSet = APIError(404, "password.notSet", "The account has no password; set one first.")
    static let deviceNameInvalid = APIError(
        400, "deviceName.invalid",
        "The device name is invalid; use 1 to 64 characters without control and bidirectional characters.")
    static let sessionRequired = APIError(401, "session.required", "The request has no session; sign in first.")
    static let signInRefused = APIError(401, "signIn.refused", "The user name or the password is wrong.")
    static let reauthenticationRequired = APIError(
        403, "reauthentication.required", "The session's verification is too old; re-authenticate, then try again.")
    static let credentialNotFound = APIError(404, "credential.notFound", "The passkey was not found in this account.")
    static let credentialLast = APIError(
        409, "credential.last", "This is the account's last credential; add another one first.")
    static let passkeysTooMany = APIError(
        409, "passkeys.tooMany", "The account has as many passkeys as allowed; delete one first.")
    static let attachmentNotAllowed = APIError(
        403, "attachment.notAllowed", "This kind of authenticator is not allowed here.")
}

extension APIError {
    static func attemptsTooMany(wait: Duration) -> APIError {
        let seconds = wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0)
        return APIError(
            429, "attempts.tooMany", "Too many wrong passwords; try again in \(seconds) s.",
            headers: [.retryAfter: String(seconds)])
    }
}

// MARK: verdicts

extension APIError {
    static func registrationRefused(_ ledger: Ledger) -> APIError {
        APIError(422, "registration.refused", sentence("registration", ledger), details: ["ledger": ledger.entries])
    }

    static func authenticationRefused(_ ledger: Ledger) -> APIError {
        APIError(401, "authentication.refused", sentence("authentication", ledger), details: ["ledger": ledger.entries])
    }

    private static func sentence(_ ceremony: String, _ ledger: Ledger) -> String {
        guard let failure = ledger.firstFailure, let reason = failure.outcome.reasons.first else {
            return "The \(ceremony) could not be verified completely."
        }
        return "The \(ceremony) failed \(failure.step.rawValue) (\(reason.label.rawValue)): \(reason.explanation)."
    }
}
