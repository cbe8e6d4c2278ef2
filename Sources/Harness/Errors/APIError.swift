internal import RelyingParty

/// A request that was not granted: the HTTP status, a code for programs and a sentence for people.
struct APIError: Error, Hashable {
    let status: Int
    let code: Code
    let message: String
    /// The verdict, where the request was a ceremony's response.
    var ledger: Ledger?

    /// The stable names of what can go wrong.
    enum Code: String, Sendable, CaseIterable {
        case hostUnexpected = "host.unexpected"
        case originForbidden = "origin.forbidden"
        case routeNotFound = "route.notFound"
        case methodNotAllowed = "method.notAllowed"
        case contentTypeUnsupported = "contentType.unsupported"
        case bodyTooLarge = "body.tooLarge"
        case jsonMalformed = "json.malformed"
        case jsonInvalidMember = "json.invalidMember"
        case base64URLMalformed = "base64url.malformed"

        case usernameInvalid = "username.invalid"
        case usernameTaken = "username.taken"
        case displayNameInvalid = "displayName.invalid"
        case passwordInvalid = "password.invalid"
        case passwordNotSet = "password.notSet"
        case deviceNameInvalid = "deviceName.invalid"

        case sessionRequired = "session.required"
        case signInRefused = "signIn.refused"
        case reauthenticationRequired = "reauthentication.required"
        case credentialNotFound = "credential.notFound"
        case credentialLast = "credential.last"
        case attachmentNotAllowed = "attachment.notAllowed"
        case registrationRefused = "registration.refused"
        case authenticationRefused = "authentication.refused"
        case internalError = "internal"
    }

    init(_ status: Int, _ code: Code, _ message: String, ledger: Ledger? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.ledger = ledger
    }
}
