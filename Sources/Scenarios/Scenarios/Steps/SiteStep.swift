internal import Causes
internal import Documents
internal import RelyingPartyServer
internal import Wording

/// A step at the relying party's site, which needs no device.
package enum SiteStep: Hashable, Sendable {
    /// Creates an account and signs in to it.
    case createAccount(name: String, password: String?)
    case signOut
    case listPasskeys
    /// Deletes the passkey at this place in the list, counted from 1.
    case deletePasskey(number: Int)
    case request(SiteRequest)
    /// Changes to another browser or app, with a session of its own.
    case useSession(String)
    /// Stops the relying party and starts it again on the same database.
    case restartServer
    /// Every later request takes this long.
    case slowServer(Duration)
    /// The next requests are answered with this status and have no effect.
    case failingServer(status: Int, times: Int)
}

extension SiteStep: StepKind {
    static let place = StepPlace.site
    var action: ScenarioStep.Action { .site(self) }

    static let verbs: [StepVerb] = ListBuilder<StepVerb>.list {
        verb(
            "create-account", .required("name", .scalar, "The account's name."),
            .optional("password", .scalar, "Its password; default: none.")
        ) { .createAccount(name: $0, password: $1) }
        verb("sign-out") { .signOut }
        verb("list-passkeys") { .listPasskeys }
        verb("delete-passkey", .optional("number", .number(1...100), "Its place in the list, from 1; default: 1.")) {
            .deletePasskey(number: $0 ?? 1)
        }
        SiteRequest.verb
        verb(
            "use-session",
            .required("name", .text, "The session's name; the first is \(firstSessionName).")
        ) { .useSession($0) }
        verb("restart-server") { .restartServer }
        verb("slow-server", .required("by", .span, "The simulated time that each later request takes.")) {
            .slowServer($0)
        }
        verb(
            "failing-server",
            .optional(
                "status", .number(ServerTrouble.failingStatuses), "The HTTP status of the answers; default: 503."),
            .optional(
                "times", .number(1...ServerTrouble.maximumFailingRequests),
                "The number of requests that fail; default: 1.")
        ) { .failingServer(status: $0 ?? ServerTrouble().failingStatus, times: $1 ?? 1) }
    }

    var title: String {
        switch self {
        case .createAccount(let name, _): "\(name) creates an account"
        case .signOut: "signs out"
        case .listPasskeys: "lists the passkeys"
        case .deletePasskey(let number): "deletes passkey \(number)"
        case .request(let request): request.title
        case .useSession(let name): "goes on in the session \(name)"
        case .restartServer: "the server restarts"
        case .slowServer(.zero): "the server answers without a delay"
        case .slowServer(let span): "the server takes \(Wording.span(span)) for each request"
        case .failingServer(let status, let times):
            "the server fails \(Wording.counted(times, "request")) with \(status)"
        }
    }

    func perform(on stage: Stage) async throws -> StepResult {
        switch self {
        case .createAccount(let name, let password): try await stage.party.createAccount(name, password: password)
        case .signOut: try await stage.party.signOut()
        case .listPasskeys: return StepResult(passkeys: try await stage.party.passkeyIDs(isRecorded: true)?.count)
        case .deletePasskey(let number):
            guard let ids = try await stage.party.passkeyIDs(isRecorded: true) else { break }
            guard ids.indices.contains(number - 1) else { return .refused(.noSuchPasskey, passkeys: ids.count) }
            try await stage.party.deletePasskey(ids[number - 1])
            return StepResult(passkeys: try await stage.party.passkeyIDs(isRecorded: false)?.count)
        case .request(let request): try await request.perform(at: stage.site())
        case .useSession(let name): stage.party.useSession(name)
        case .restartServer: try await stage.site().restart()
        case .slowServer(let span):
            var before = Duration.zero
            try stage.site().conditions.change { (before, $0.latency) = ($0.latency, span) }
            return StepResult(idleness: before == span ? "the server was already in this state" : nil)
        case .failingServer(let status, let times):
            try stage.site().conditions.change { ($0.failingStatus, $0.failingRequests) = (status, times) }
        }
        return StepResult()
    }
}
