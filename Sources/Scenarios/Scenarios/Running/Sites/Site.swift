internal import AppHost
internal import Attestation
internal import DeviceProfiles
internal import Foundation
internal import Machine
internal import Providers
internal import RelyingParty
internal import RelyingPartyServer
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// The relying party of a scenario, and the app's session with it.
actor Site {
    /// It has no port: the port differs between runs, and signed data must be the same in each run.
    let origin: Origin

    private nonisolated let sessions: Mutex<NamedSessions<RelyingPartyClient>>
    private nonisolated let kept = Mutex(KeptTexts())

    nonisolated let memory = PageMemory()

    /// The services that the app uses beside the relying party; they outlast a restart.
    nonisolated let services = LoopbackServices()

    nonisolated let port: Int

    private var server: RelyingPartyServer
    private let configuration: RelyingPartyConfiguration
    /// The folder of the database; nil for a database in memory.
    private let directory: URL?

    /// Starts the relying party on a free port, with a database of its own.
    ///
    /// - Parameters:
    ///   - checksAttestation: whether it takes only the attestations of simulated devices.
    ///   - restarts: whether the scenario restarts it. Only then is the database a file: one in memory is faster.
    init(
        clock: SimulatedClock, random: SeededRandomSource, checksAttestation: Bool, settings: RelyingPartySettings,
        restarts: Bool, onExchange: @escaping @Sendable (RelyingPartyExchange) -> Void
    ) async throws {
        origin = try Origin(parsing: "http://localhost")
        directory =
            restarts
            ? FileManager.default.temporaryDirectory.appendingPathComponent("touchstone-\(UUID().uuidString)") : nil
        let verdicts = VerdictLog()
        var configuration = RelyingPartyConfiguration()
        configuration.databasePath = directory?.appendingPathComponent("auth.sqlite").path
        configuration.origins = [origin.description]
        configuration.clock = clock.shownTime
        configuration.mailClock = clock.now
        configuration.pass = { clock.advance(by: $0) }
        configuration.random = random.bytes
        configuration.onVerdict = verdicts.append
        configuration.attestation = .direct
        configuration.services = [services]
        // The database ends with the scenario, so its passwords need no costly hash.
        configuration.passwordCost = .ofMadeUpAccounts
        if checksAttestation {
            configuration.attestationPolicy = try AttestationPolicy(
                acceptsNone: true, acceptsSelf: true,
                trustAnchors: TrustAnchors(forAllModels: [AttestationAuthority().rootCertificate]))
        }
        // As passkey guides recommend: a key without a PIN is accepted.
        configuration.userVerification = UserVerificationRequirements(
            registration: .preferred, signIn: .preferred, reauthentication: .required)
        settings.apply(to: &configuration)
        if let directory { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }
        do {
            server = try await RelyingPartyServer.start(configuration)
        } catch {
            if let directory { try? FileManager.default.removeItem(at: directory) }
            throw error
        }
        port = server.port
        configuration.port = port
        self.configuration = configuration
        let first = RelyingPartyClient(
            of: server, verdicts: verdicts, origin: origin.description, onExchange: onExchange)
        sessions = Mutex(NamedSessions(first: first) { RelyingPartyClient(beside: $0) })
    }

    nonisolated var http: RelyingPartyClient { sessions.withLock { $0.current() } }

    nonisolated func useSession(_ name: String) { sessions.withLock { $0.use(name) } }

    nonisolated func keep(_ texts: [String: String]) { kept.withLock { $0.keep(texts) } }

    nonisolated func filled(_ text: String) throws(PlaybackError) -> String {
        try kept.withLock { kept throws(PlaybackError) in try kept.filled(text) }
    }

    func tables() async throws -> [TableCount] { try await server.tables() }

    /// The relying party's trouble; it outlasts a restart.
    nonisolated var conditions: ServerConditions { configuration.conditions }

    func restart() async throws {
        await server.stop()
        server = try await RelyingPartyServer.start(configuration)
    }

    /// Stops the relying party and deletes its database.
    func tearDown() async {
        await server.stop()
        if let directory { try? FileManager.default.removeItem(at: directory) }
    }

    /// - Parameter profile: the device that the app runs on; nil for an unknown one.
    /// - Returns: the answer; nil when it is a refusal.
    nonisolated func send(
        _ method: String, _ path: String, below root: String = RelyingPartyServer.api,
        _ body: (any Encodable & Sendable)? = nil,
        headers: [String: String] = [:], from profile: DeviceProfile? = nil
    ) async throws -> RelyingPartyExchange? {
        await Turns.lane?.pass()
        let exchange = try await http.send(
            method, path, below: root, body: body, headers: headers, userAgent: profile.userAgent)
        return exchange.isSuccess ? exchange : nil
    }
}
