internal import Documents
internal import Foundation
internal import Machine
internal import Providers
internal import RelyingPartyServer
internal import Synchronization
internal import WebAuthn

/// The relying party of a bench, with pages for a browser.
struct BenchParty: Sendable {
    /// Not a secret: the accounts exist only until the server ends.
    private static let password = "touchstone bench"

    private let server: RelyingPartyServer
    private let verdicts: BenchVerdicts
    let services: LoopbackServices
    let conditions: ServerConditions

    /// Starts it on a free port.
    static func start() async throws -> BenchParty {
        let (verdicts, services) = (BenchVerdicts(), LoopbackServices())
        var configuration = RelyingPartyConfiguration()
        configuration.attestation = .direct
        configuration.userVerification = UserVerificationRequirements(
            registration: .preferred, signIn: .preferred, reauthentication: .required)
        configuration.residentKey = .preferred
        configuration.passwordCost = .ofMadeUpAccounts
        configuration.services = [services]
        configuration.onVerdict = verdicts.append
        return BenchParty(
            server: try await RelyingPartyServer.start(configuration), verdicts: verdicts, services: services,
            conditions: configuration.conditions)
    }

    var port: Int { server.port }

    /// The origin of its pages.
    var origin: String { server.baseURL }

    /// The page at which people sign in.
    var page: String { server.baseURL + LoopbackServices.firstPage }

    func stop() async { await server.stop() }

    /// A browser's session with the relying party.
    func session() -> RelyingPartyClient { RelyingPartyClient(of: server, verdicts: VerdictLog()) }

    /// The newest verdict on a response of a credential.
    func verdict(of credentialID: [UInt8]) -> RelyingPartyEvent? { verdicts.last(of: credentialID) }

    /// Opens an account, or signs in to it with its password.
    func enter(_ username: String, in session: RelyingPartyClient) async throws -> RelyingPartyExchange {
        let credentials = ["username": username, "displayName": username, "password": Self.password]
        let opened = try await Self.send("/accounts", .object(credentials.mapValues(JSONValue.text)), in: session)
        guard opened.problem?.code == RelyingPartyExchange.Problem.usernameTaken else { return opened }
        return try await Self.send(
            "/password/sign-in", ["username": .text(username), "password": .text(Self.password)], in: session)
    }

    static func send(
        _ path: String, _ body: JSONValue, in session: RelyingPartyClient
    ) async throws -> RelyingPartyExchange {
        try await session.send("POST", path, body: body, userAgent: "touchstone/mcp")
    }
}

/// The newest verdicts of a relying party that serves several sessions at once.
private final class BenchVerdicts: Sendable {
    private static let most = 500

    private let events = Mutex<[RelyingPartyEvent]>([])

    @Sendable func append(_ event: RelyingPartyEvent) {
        events.withLock { events in
            if events.count >= Self.most { events.removeFirst() }
            events.append(event)
        }
    }

    func last(of credentialID: [UInt8]) -> RelyingPartyEvent? {
        events.withLock { $0.last { $0.credentialID == credentialID } }
    }
}
