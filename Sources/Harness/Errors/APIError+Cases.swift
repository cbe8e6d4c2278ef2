internal import RelyingParty

// MARK: the request itself

extension APIError {
    static let hostUnexpected = APIError(421, .hostUnexpected, "This server answers only to a loopback host name.")
    static let routeNotFound = APIError(404, .routeNotFound, "There is no such endpoint.")
    static let contentTypeUnsupported = APIError(
        415, .contentTypeUnsupported, "The body must be application/json.")
    static let internalError = APIError(500, .internalError, "The server failed; its log says how.")

    static func originForbidden(_ origin: String) -> APIError {
        APIError(403, .originForbidden, "Requests from the origin “\(origin)” are not allowed.")
    }

    static func methodNotAllowed(_ method: String, allowed: String) -> APIError {
        APIError(405, .methodNotAllowed, "This endpoint answers \(allowed), not \(method).")
    }

    static func bodyTooLarge(limit: Int) -> APIError {
        APIError(413, .bodyTooLarge, "The body is larger than \(limit) bytes.")
    }

    static func jsonMalformed(_ problem: String) -> APIError {
        APIError(400, .jsonMalformed, "The body is not JSON: \(problem).")
    }

    static func jsonInvalidMember(_ path: String, _ problem: String) -> APIError {
        let place = path.isEmpty ? "The body" : "The member “\(path)”"
        return APIError(400, .jsonInvalidMember, "\(place) \(problem).")
    }

    static func base64URLMalformed(_ path: String) -> APIError {
        APIError(400, .base64URLMalformed, "“\(path)” is not unpadded base64url.")
    }
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
        403, .reauthenticationRequired, "Confirm that it is you, then try again.")
    static let credentialNotFound = APIError(404, .credentialNotFound, "You have no such passkey.")
    static let credentialLast = APIError(
        409, .credentialLast, "This is the account's last credential; add another one first.")
    static let attachmentNotAllowed = APIError(
        403, .attachmentNotAllowed, "This kind of authenticator is not allowed here.")
}

// MARK: verdicts

extension APIError {
    static func registrationRefused(_ ledger: Ledger) -> APIError {
        APIError(422, .registrationRefused, sentence("registration", ledger), ledger: ledger)
    }

    static func authenticationRefused(_ ledger: Ledger) -> APIError {
        APIError(401, .authenticationRefused, sentence("authentication", ledger), ledger: ledger)
    }

    private static func sentence(_ ceremony: String, _ ledger: Ledger) -> String {
        guard let failure = ledger.firstFailure, let reason = failure.outcome.reasons.first else {
            return "The \(ceremony) could not be judged in full."
        }
        return "The \(ceremony) failed \(failure.step.rawValue) (\(reason.label.rawValue)): \(reason.explanation)."
    }
}
