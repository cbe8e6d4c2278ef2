internal import Attestation
internal import DeviceProfiles
internal import Foundation
internal import Harness
internal import PlatformErrors
internal import RelyingParty
internal import SimulatedDevice
internal import Synchronization
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// The relying party of a scenario, and the app's session with it.
actor Site {
    /// The origin of the relying party's pages.
    ///
    /// It has no port: the port differs from run to run, and what devices sign must not.
    let origin: Origin

    private static let api = "/api/v1/auth"

    private var harness: RunningHarness
    private let http: HarnessClient
    private let configuration: HarnessConfiguration
    private let verdicts: VerdictLog
    private let directory: URL
    private var exchanges: [SiteExchange] = []

    /// Starts the relying party on a free port, with a database of its own.
    ///
    /// - Parameter checksAttestation: whether it takes only the attestations of simulated devices.
    init(clock: SimulatedClock, random: SeededRandomSource, checksAttestation: Bool) async throws {
        origin = try Origin(parsing: "http://localhost")
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("touchstone-\(UUID().uuidString)")
        verdicts = VerdictLog()
        var configuration = HarnessConfiguration()
        configuration.databasePath = directory.appendingPathComponent("auth.sqlite").path
        configuration.origins = [origin.description]
        configuration.clock = clock.now
        configuration.random = random.bytes
        configuration.onVerdict = verdicts.append
        configuration.attestation = .direct
        if checksAttestation {
            configuration.attestationPolicy = try AttestationPolicy(
                acceptsNone: true, acceptsSelf: true,
                trustAnchors: TrustAnchors(forAllModels: [AttestationAuthority().rootCertificate]), now: clock.now())
        }
        // As passkey guides recommend: a key without a PIN is accepted.
        configuration.userVerification = UserVerificationDemands(
            registration: .preferred, signIn: .preferred, reauthentication: .required)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        do {
            harness = try await Harness.start(configuration)
        } catch {
            try? FileManager.default.removeItem(at: directory)
            throw error
        }
        configuration.port = harness.port
        self.configuration = configuration
        http = HarnessClient(baseURL: harness.baseURL, origin: origin.description)
    }

    /// Stops the relying party and starts it again on the same database and port.
    func restart() async throws {
        await harness.stop()
        harness = try await Harness.start(configuration)
    }

    /// Stops the relying party.
    func stop() async {
        await harness.stop()
    }

    /// Stops the relying party and deletes its database.
    func tearDown() async {
        await harness.stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Sends a request of the app and records the exchange.
    ///
    /// - Parameter profile: the device that the app runs on; nil for an unknown one.
    /// - Returns: the answer; nil when it is a refusal.
    func send(
        _ method: String, _ path: String, _ body: (any Encodable & Sendable)? = nil, from profile: DeviceProfile? = nil
    ) async throws -> HarnessClient.Answer? {
        let answer = try await http.send(method, Self.api + path, body: body, userAgent: UserAgents.of(profile))
        exchanges.append(
            SiteExchange(
                request: "\(method) \(path)", status: answer.status, code: answer.problem?.code,
                verdicts: verdicts.drain().map { $0.ledger.failures.map(\.step.rawValue) }))
        return answer.isSuccess ? answer : nil
    }

    /// Lists the account's passkeys; nil when the request is refused.
    func passkeys() async throws -> [Passkey]? {
        try await send("GET", "/passkeys")?.decoded(as: PasskeyList.self).passkeys
    }

    /// Forgets the session, as a new installation of the app would.
    func forgetSession() {
        http.forgetSession()
    }

    /// The exchanges since the last call.
    func takeExchanges() -> [SiteExchange] {
        defer { exchanges = [] }
        return exchanges
    }

    /// A row of the passkey list.
    struct Passkey: Decodable, Sendable {
        let credentialId: String
    }

    private struct PasskeyList: Decodable {
        let passkeys: [Passkey]
    }
}

/// A request to the relying party, and its answer.
struct SiteExchange: Sendable {
    /// The method and the path.
    let request: String
    /// The HTTP status.
    let status: Int
    /// The machine code of a refusal.
    let code: String?
    /// The failed ledger steps of each response it verified; a response that passed has none.
    let verdicts: [[String]]

    var isSuccess: Bool { code == nil }

    var failedLedgerSteps: [String] { verdicts.flatMap(\.self) }

    /// The exchange in one line.
    var line: String {
        verdicts.reduce("\(request) → \(status)" + (code.map { " \($0)" } ?? "")) { line, failed in
            failed.isEmpty
                ? "\(line), every ledger step passed"
                : "\(line), the ledger failed at \(failed.joined(separator: ", "))"
        }
    }
}

extension HarnessClient.Answer {
    /// Reads the body of an answer that a step depends on.
    func decoded<Body: Decodable>(as type: Body.Type) throws(PlaybackError) -> Body {
        do {
            return try decode(type)
        } catch {
            throw PlaybackError("the relying party's answer is not a valid \(type): \(error)")
        }
    }
}

/// The relying party's verdicts, until they are read.
private final class VerdictLog: Sendable {
    private let events = Mutex<[HarnessEvent]>([])

    func append(_ event: HarnessEvent) {
        events.withLock { $0.append(event) }
    }

    func drain() -> [HarnessEvent] {
        events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

/// The user agent of an app on each platform, by which a relying party names the device.
private enum UserAgents {
    static func of(_ profile: DeviceProfile?) -> String {
        switch profile?.platform {
        case .ios: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148"
        case .android: "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
        case .macos:
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15"
        case .windows: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
        case .securityKey, nil: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
        }
    }
}
