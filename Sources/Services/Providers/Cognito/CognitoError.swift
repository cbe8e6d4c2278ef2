internal import Hummingbird
internal import LoopbackHTTP

/// A refusal of the Cognito-like service: `{"__type", "message"}` with status 400.
struct CognitoError: ServiceRefusal {
    enum Kind: String, Sendable {
        case notAuthorized = "NotAuthorizedException"
        case invalidParameter = "InvalidParameterException"
        case userNotFound = "UserNotFoundException"
        case usernameExists = "UsernameExistsException"
        case invalidPassword = "InvalidPasswordException"
        case unknownOperation = "UnknownOperationException"
    }

    let kind: Kind
    let message: String

    init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// The refusal of every wrong user, password and answer alike.
    static let incorrect = CognitoError(.notAuthorized, "Incorrect username or password.")
    static let invalidSession = CognitoError(.notAuthorized, "Invalid session for the user, session is expired.")

    func response() throws -> Response {
        try Reply.json(["__type": kind.rawValue, "message": message], status: .badRequest)
    }
}
