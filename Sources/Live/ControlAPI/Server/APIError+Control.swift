internal import HTTPTypes
internal import LoopbackHTTP
internal import Wording

extension APIError.Code {
    static let deviceNameTaken: APIError.Code = "device.nameTaken"
    static let deviceNotStarted: APIError.Code = "device.notStarted"
    static let stateInvalid: APIError.Code = "state.invalid"
    static let spanInvalid: APIError.Code = "span.invalid"
    static let accountUnsuitable: APIError.Code = "account.unsuitable"
    static let samplesInvalid: APIError.Code = "samples.invalid"
}

extension APIError {
    /// An error that passes on another one's sentence.
    init(_ status: Int, _ code: Code, because error: any Error) {
        self.init(status, code, Wording.sentence("\(error)"))
    }

    static func tokenMissing(isWebDriver: Bool) -> APIError {
        APIError(
            401, "token.missing", "The token is missing; send it as Authorization: Bearer TOKEN.",
            headers: [.wwwAuthenticate: challenge(isWebDriver)])
    }

    static func tokenWrong(isWebDriver: Bool) -> APIError {
        APIError(
            401, "token.wrong",
            "The token is wrong; send the token that this server printed, or the one that it was given.",
            headers: [.wwwAuthenticate: challenge(isWebDriver)])
    }

    static let tokenLimited = APIError(
        403, "token.limited", "This token does not permit the request; send the server's own token.")

    private static func challenge(_ isWebDriver: Bool) -> String {
        "Bearer realm=\"touchstone\"" + (isWebDriver ? ", Basic realm=\"touchstone\"" : "")
    }

    static func portUnexpected(_ port: Int) -> APIError {
        APIError(421, hostUnexpected.code, "The Host header must name this server's port, as in localhost:\(port).")
    }

    static func pathInvalid(_ problem: String) -> APIError { APIError(400, "path.invalid", problem) }

    static func queryInvalid(_ problem: String) -> APIError { APIError(400, "query.invalid", problem) }

    static func deviceNotFound(_ name: String, among names: [String] = []) -> APIError {
        notFound("device", "device.notFound", name, names)
    }

    static func accountNotFound(_ name: String, among names: [String]) -> APIError {
        notFound("account", "account.notFound", name, names)
    }

    static func snapshotNotFound(_ name: String, among names: [String]) -> APIError {
        notFound("snapshot", "snapshot.notFound", name, names)
    }

    private static func notFound(_ kind: String, _ code: Code, _ name: String, _ names: [String]) -> APIError {
        let nearest = NearestNames.question(name, among: names.sorted())
        return APIError(404, code, Wording.sentence("No \(kind) is named “\(name)”\(nearest)"))
    }

    /// A member that would have no effect, beside another one or alone.
    ///
    /// - Parameter reason: the rest of the sentence, such as `has no effect beside …`.
    static func idleMember(_ member: String, _ reason: String) -> APIError {
        APIError(422, "member.idle", Wording.sentence("The member “\(member)” \(reason)"))
    }

    static let serverAbsent = APIError(
        409, "server.absent",
        "No relying party runs in this process; start both with `touchstone serve --control`.")

    static let stopping = APIError(409, .deviceNotStarted, "The server is stopping.")

    static let credentialNotFound = APIError(404, "credential.notFound", "The device has no credential with this ID.")
}
