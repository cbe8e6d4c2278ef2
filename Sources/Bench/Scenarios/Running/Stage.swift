internal import Attestation
internal import BiometricStatistics
internal import COSE
internal import CTAP
internal import DeviceActs
internal import DeviceProfiles
internal import Documents
internal import Faults
internal import Foundation
internal import Harness
internal import RelyingParty
internal import SimulatedDevice
internal import Synchronization
internal import Trace
internal import Transports
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// Everything a running scenario has: its clock, its devices, the relying party and the app's session with it.
actor Stage {
    /// A device and the person at it.
    struct Actor: Sendable {
        /// Who plays the part.
        enum Part: Sendable {
            case simulated(Simulation)
            case real(RealDevice, OverheardDevice)
        }

        let part: Part
        /// How clients reach it.
        let authenticator: any CTAPDevice
        let client: WebAuthnClient
        let pins: PINScript

        var simulation: Simulation? { if case .simulated(let simulation) = part { simulation } else { nil } }
        /// What kind of device it is; nil for a real one.
        var profile: DeviceProfile? { simulation?.device.profile }
    }

    /// A device that is played.
    struct Simulation: Sendable {
        let device: SimulatedDevice
        /// Where it is served, in a scenario in which a transport goes wrong.
        let endpoint: UDPEndpoint?
        let person: ControlledPerson
    }

    let clock: SimulatedClock
    let actors: [String: Actor]
    /// What the devices sync their passkeys with.
    let accounts: [SyncAccount]
    private(set) var harness: RunningHarness
    let http: HarnessClient
    private var snapshots: [String: StoredDevice] = [:]
    private let configuration: HarnessConfiguration
    private let verdicts: VerdictLog
    private let directory: URL

    /// Sets the stage: starts the relying party on a free port and switches the devices on.
    ///
    /// - Parameter real: the devices that need no playing.
    init(
        _ scenario: Scenario, profiles: ProfileLibrary, seed: UInt64, trace: TraceRecorder?,
        real: [String: RealDevice] = [:]
    ) async throws {
        let clock = SimulatedClock()
        self.clock = clock
        let random = SeededRandomSource(seed: seed)
        var actors: [String: Actor] = [:]
        for ((name, _), profile) in zip(scenario.devices, try scenario.profiles(from: profiles)) {
            if let device = real[name] {
                actors[name] = Self.actor(device)
                continue
            }
            let deviceTrace = trace?.device(
                name, title: "\(profile.title), in “\(scenario.name)”", vocabulary: profile.platformErrors,
                now: clock.now)
            do {
                let nature = scenario.people[name].map { plan in
                    StatisticalPerson.Plan(plan.model, subject: plan.subject, seed: Self.seed(seed, for: name))
                }
                actors[name] = try await Self.actor(
                    profile, nature: nature, clock: clock, random: random, trace: deviceTrace,
                    isServed: scenario.needsTransport || profile.needsTransport)
            } catch {
                for actor in actors.values { await actor.simulation?.endpoint?.close() }
                throw error
            }
        }
        self.actors = actors
        do {
            accounts = try await Self.accounts(scenario, actors, clock)
        } catch {
            for actor in actors.values { await actor.simulation?.endpoint?.close() }
            throw error
        }
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("touchstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let verdicts = VerdictLog()
        self.verdicts = verdicts
        var configuration = HarnessConfiguration()
        configuration.databasePath = directory.appendingPathComponent("auth.sqlite").path
        // Without the port, which differs from run to run while what is signed must not.
        configuration.origins = [Self.origin]
        configuration.clock = clock.now
        configuration.random = random.bytes
        configuration.onVerdict = verdicts.append
        configuration.attestation = .direct
        if real.isEmpty {
            configuration.attestationPolicy = try AttestationPolicy(
                acceptsNone: true, acceptsSelf: true,
                trustAnchors: TrustAnchors(forAllModels: [AttestationAuthority().rootCertificate]), now: clock.now())
        }
        // What passkey guides advise: a key without a PIN is still a key.
        configuration.userVerification = UserVerificationDemands(
            registration: .preferred, signIn: .preferred, reauthentication: .required)
        do {
            harness = try await Harness.start(configuration)
        } catch {
            for actor in actors.values { await actor.simulation?.endpoint?.close() }
            try? FileManager.default.removeItem(at: directory)
            throw error
        }
        configuration.port = harness.port
        self.configuration = configuration
        http = HarnessClient(baseURL: harness.baseURL, origin: Self.origin)
    }

    private static func actor(
        _ profile: DeviceProfile, nature: StatisticalPerson.Plan?, clock: SimulatedClock, random: SeededRandomSource,
        trace: DeviceTrace?, isServed: Bool
    ) async throws -> Actor {
        let wait: @Sendable (Duration) async -> Void = { clock.advance(to: $0) }
        let person = ControlledPerson(
            habit: .auto,
            nature: nature.map { StatisticalPerson($0, at: profile, time: clock, waitUntil: wait) }
                ?? AgreeablePerson(),
            waitUntil: wait)
        let device = SimulatedDevice(
            profile: profile, time: clock, random: random, person: person, signing: .deterministic,
            log: EventLog { trace?.note($0) }, wait: { clock.advance(to: $0) })
        var authenticator: any CTAPDevice = trace?.traced(device.ctap) ?? device.ctap
        var endpoint: UDPEndpoint?
        if isServed {
            var configuration = UDPEndpoint.Configuration()
            configuration.port = 0
            let served = try await UDPEndpoint.listen(
                device: authenticator, configuration: configuration, faults: device.transport)
            // The person acts at once, so that only a broken transport is silent for so long.
            do {
                authenticator = try await UDPDevice.connect(
                    to: configuration.address, port: served.port, silenceLimit: .seconds(3))
            } catch {
                await served.close()
                throw error
            }
            endpoint = served
        }
        let pins = PINScript()
        var environment = ClientEnvironment(randomBytes: random.bytes, now: clock.now)
        environment.enterPIN = { _ in pins.next() }
        // A scenario shows what a relying party makes of a broken authenticator, so its client hands everything on.
        environment.passesMalformedData = true
        let client = WebAuthnClient(
            device: authenticator,
            attachment: profile.authenticator.isPlatform ? .platform : .crossPlatform, environment: environment)
        return Actor(
            part: .simulated(Simulation(device: device, endpoint: endpoint, person: person)),
            authenticator: authenticator, client: client, pins: pins)
    }

    private static func accounts(
        _ scenario: Scenario, _ actors: [String: Actor], _ clock: SimulatedClock
    ) async throws -> [SyncAccount] {
        var accounts: [SyncAccount] = []
        for declared in scenario.accounts {
            let account = SyncAccount(name: declared.name, delay: declared.delay, time: clock)
            for name in declared.devices {
                guard let device = actors[name]?.simulation?.device else { continue }
                do {
                    try await account.join(device)
                } catch {
                    throw SourceError(file: scenario.file, line: declared.line, message: "\(name): \(error)")
                }
            }
            accounts.append(account)
        }
        return accounts
    }

    private static func actor(_ device: RealDevice) -> Actor {
        let overheard = OverheardDevice(device.ctap)
        let pins = PINScript()
        var environment = device.environment
        if case .elsewhere = device.person { environment.enterPIN = { _ in pins.next() } }
        return Actor(
            part: .real(device, overheard), authenticator: overheard,
            client: WebAuthnClient(device: overheard, attachment: .crossPlatform, environment: environment), pins: pins)
    }

    /// The origin pages of the relying party have.
    func origin() throws -> Origin {
        try Origin(parsing: Self.origin)
    }

    private static let origin = "http://localhost"

    /// Another seed for each person, all of which follow from the run's.
    private static func seed(_ seed: UInt64, for name: String) -> UInt64 {
        name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    /// What the relying party judged since last asked.
    func takeVerdicts() -> [HarnessEvent] {
        verdicts.drain()
    }

    /// Stops the relying party and starts it again on the same database and port.
    func restartServer() async throws {
        await harness.stop()
        harness = try await Harness.start(configuration)
    }

    /// Keeps what a device remembers under a name.
    func takeSnapshot(_ name: String, of device: SimulatedDevice) async throws {
        snapshots[name] = try await device.exportState()
    }

    /// Makes a device what one of its kind was.
    func restore(_ name: String, to device: SimulatedDevice) async throws {
        guard let stored = snapshots[name] else { throw Breakdown("there is no snapshot \"\(name)\"") }
        try await device.restore(stored)
    }

    /// Takes everything down.
    func strike() async {
        await harness.stop()
        for actor in actors.values { await actor.simulation?.endpoint?.close() }
        try? FileManager.default.removeItem(at: directory)
    }
}

/// What the relying party judged.
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

extension Scenario {
    /// Whether packets go wrong in it, for which there must be some.
    fileprivate var needsTransport: Bool {
        steps.contains { step in
            guard case .act(.fault(let name, _)) = step.action else { return false }
            return (try? Fault(parsing: name))?.isTransports ?? false
        }
    }
}

extension DeviceProfile {
    fileprivate var needsTransport: Bool { faults.contains(where: \.isTransports) }
}

extension Fault {
    fileprivate var isTransports: Bool { if case .transport = self { true } else { false } }
}
