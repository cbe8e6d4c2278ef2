internal import HTTPTypes
internal import LoopbackHTTP
internal import Wording

extension APIError.Code {
    static let tokenMissing = APIError.Code(rawValue: "token.missing")
    static let tokenWrong = APIError.Code(rawValue: "token.wrong")
    static let pathInvalid = APIError.Code(rawValue: "path.invalid")
    static let queryInvalid = APIError.Code(rawValue: "query.invalid")
    static let deviceNotFound = APIError.Code(rawValue: "device.notFound")
    static let deviceNameTaken = APIError.Code(rawValue: "device.nameTaken")
    static let deviceLimit = APIError.Code(rawValue: "device.limit")
    static let deviceUnsuitable = APIError.Code(rawValue: "device.unsuitable")
    static let deviceNotStarted = APIError.Code(rawValue: "device.notStarted")
    static let profileInvalid = APIError.Code(rawValue: "profile.invalid")
    static let actInvalid = APIError.Code(rawValue: "act.invalid")
    static let connectionMissing = APIError.Code(rawValue: "connection.missing")
    static let clockReal = APIError.Code(rawValue: "clock.real")
    static let spanInvalid = APIError.Code(rawValue: "span.invalid")
    static let snapshotNotFound = APIError.Code(rawValue: "snapshot.notFound")
    static let snapshotOfAnotherKind = APIError.Code(rawValue: "snapshot.ofAnotherKind")
    static let snapshotLimit = APIError.Code(rawValue: "snapshot.limit")
    static let credentialNotFound = APIError.Code(rawValue: "credential.notFound")
    static let credentialRefused = APIError.Code(rawValue: "credential.refused")
    static let accountNotFound = APIError.Code(rawValue: "account.notFound")
    static let accountNameTaken = APIError.Code(rawValue: "account.nameTaken")
    static let accountLimit = APIError.Code(rawValue: "account.limit")
    static let accountUnsuitable = APIError.Code(rawValue: "account.unsuitable")
    static let samplesInvalid = APIError.Code(rawValue: "samples.invalid")
    static let originInvalid = APIError.Code(rawValue: "origin.invalid")
}

extension APIError {
    /// An error that passes on another one's sentence.
    init(_ status: Int, _ code: Code, because error: any Error) {
        self.init(status, code, Wording.sentence("\(error)"))
    }

    static func tokenMissing(isWebDriver: Bool) -> APIError {
        APIError(
            401, .tokenMissing, "The token is missing; send it as Authorization: Bearer TOKEN.",
            headers: [.wwwAuthenticate: challenge(isWebDriver)])
    }

    static func tokenWrong(isWebDriver: Bool) -> APIError {
        APIError(
            401, .tokenWrong, "The token is wrong; send the one this server printed at its start.",
            headers: [.wwwAuthenticate: challenge(isWebDriver)])
    }

    private static func challenge(_ isWebDriver: Bool) -> String {
        "Bearer realm=\"touchstone\"" + (isWebDriver ? ", Basic realm=\"touchstone\"" : "")
    }

    static func portUnexpected(_ port: Int) -> APIError {
        APIError(421, hostUnexpected.code, "The Host header must name this server's port, as in localhost:\(port).")
    }

    static func pathInvalid(_ problem: String) -> APIError { APIError(400, .pathInvalid, problem) }

    static func queryInvalid(_ problem: String) -> APIError { APIError(400, .queryInvalid, problem) }

    static func deviceNotFound(_ name: String, among names: [String] = []) -> APIError {
        notFound("device", .deviceNotFound, name, names)
    }

    static func accountNotFound(_ name: String, among names: [String]) -> APIError {
        notFound("account", .accountNotFound, name, names)
    }

    static func snapshotNotFound(_ name: String, among names: [String]) -> APIError {
        notFound("snapshot", .snapshotNotFound, name, names)
    }

    private static func notFound(_ kind: String, _ code: Code, _ name: String, _ names: [String]) -> APIError {
        let nearest = NearestNames.question(name, among: names.sorted())
        return APIError(404, code, Wording.sentence("No \(kind) is named “\(name)”\(nearest)"))
    }

    static let stopping = APIError(409, .deviceNotStarted, "The server is stopping.")

    static let credentialNotFound = APIError(
        404, .credentialNotFound, "The device has no credential with this ID.")
}
