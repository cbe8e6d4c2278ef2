internal import AppHost
internal import BiometricStatistics
internal import COSE
internal import CTAP
internal import CTAPHID
internal import Causes
internal import DeviceActs
internal import DeviceProfiles
internal import PlatformErrors
internal import RelyingParty
internal import SimulatedDevice
internal import Trace
internal import Transports
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient

/// A device of a running scenario, simulated or real, with the client that uses it.
struct StageDevice: Sendable {
    struct Simulation: Sendable {
        let device: SimulatedDevice
        let person: ControlledUser
        /// The model of the user's samples; nil for samples that always match.
        let model: StatisticalUser?
        /// The same user, for an app that hears of failed attempts.
        let watch: PromptWatch
        /// The endpoint that serves it, in a scenario with transport faults.
        let endpoint: UDPEndpoint?
        /// The connection for clients.
        let ctap: any CTAPDevice
        /// The same over the hybrid transport.
        let hybrid: any CTAPDevice
        let clock: SimulatedClock
        let random: SeededRandomSource
        let pinClient: PINClient

        /// Carries out an act, with the part of its transport.
        func perform(_ act: DeviceAct) async -> DeviceActResult {
            guard let endpoint else { return await device.perform(act) }
            return await device.perform(act) { await endpoint.powerCycle() }
        }
    }

    private enum Kind: Sendable {
        case simulated(Simulation)
        case real(RealDevice, RecordedAnswers)
    }

    private let kind: Kind
    let client: WebAuthnClient
    /// The page or app that asks the client for passkeys.
    let page: CredentialPage
    private let pins = PINScript()

    /// The simulation; nil for a real device.
    var simulation: Simulation? { if case .simulated(let simulation) = kind { simulation } else { nil } }

    var profile: DeviceProfile? { simulation?.device.profile }

    var facts: DeviceFacts { DeviceFacts(title: profile?.title ?? "a real key", isReal: profile == nil) }

    /// The reason the app on the device cannot reach its relying party; nil when it can.
    var obstacleToCeremony: Cause? { simulation?.device.obstacleToCeremony() }

    init(_ device: RealDevice) {
        let recording = RecordedAnswers()
        var environment = device.environment
        if case .elsewhere = device.person { environment.enterPIN = { [pins] _ in pins.next() } }
        kind = .real(device, recording)
        client = WebAuthnClient(
            device: device.ctap.observed(by: recording.note), attachment: .crossPlatform, environment: environment)
        page = CredentialPage(client: client)
    }

    /// Switches a simulated device on.
    ///
    /// - Parameters:
    ///   - plan: the model of the user's samples; nil for samples that always match.
    ///   - isServed: whether it is reached through UDP, where packets can get lost.
    init(
        _ profile: DeviceProfile, plan: StatisticalUser.Plan?, clock: SimulatedClock, random: SeededRandomSource,
        trace: DeviceTrace?, onEvent: @escaping @Sendable (AuthenticatorEvent) -> Void, isServed: Bool
    ) async throws {
        let wait: @Sendable (Duration) async -> Void = { clock.advance(to: $0) }
        let model = plan.map { StatisticalUser($0, at: profile, time: clock, waitUntil: wait) }
        let person = ControlledUser(habit: .auto, nature: model ?? ConsentingUser(), waitUntil: wait)
        let watch = PromptWatch(person)
        let device = try SimulatedDevice(
            profile: profile, time: clock, random: random, user: watch, signing: .deterministic,
            log: EventLog { event in
                trace?.note(event)
                onEvent(event)
                watch.hear(event)
            }, wait: wait)
        var ctap: any CTAPDevice = trace?.traced(device.ctap) ?? device.ctap
        var endpoint: UDPEndpoint?
        if isServed {
            // The user acts at once, so only a broken transport is silent for this long.
            (endpoint, ctap) = try await UDPEndpoint.loop(
                to: ctap, faults: device.transportFaults, silenceLimit: .seconds(3))
        }
        let pinClient = PINClient(AuthenticatorClient(ctap), protocol: .two, randomBytes: random.bytes)
        kind = .simulated(
            Simulation(
                device: device, person: person, model: model, watch: watch, endpoint: endpoint, ctap: ctap,
                hybrid: trace?.traced(device.ctap(over: .hybrid)) ?? device.ctap(over: .hybrid), clock: clock,
                random: random, pinClient: pinClient))
        client = device.client(over: ctap, pins: pins, random: random)
        page = CredentialPage(client: client, rules: profile.pageRules)
    }

    var pageRules: CredentialPage.Rules { profile?.pageRules ?? CredentialPage.Rules() }

    /// Whether the device itself, and no roaming authenticator, has a passkey of a relying party.
    func hasPasskey(of relyingPartyID: String) async -> Bool {
        guard let device = simulation?.device, device.profile.authenticator.isPlatform else { return false }
        return await device.hasPasskey(of: relyingPartyID)
    }

    func close() async { await simulation?.endpoint?.close() }

    /// Gives the user the acts of a step, and drops the device's earlier records.
    func prepare(for step: ScenarioStep, _ interruptions: InterruptionLog) async {
        pins.willType(step.pins)
        switch kind {
        case .simulated(let simulation):
            _ = simulation.device.log.drain()
            _ = await simulation.person.takeOffers()
            _ = await simulation.person.takeGivenActs()
            for act in step.person { await simulation.person.tell(act) }
            guard !step.interruptions.isEmpty else { break }
            await simulation.person.interrupt {
                // A prompt of an act ends the interrupted one, and cancels its task.
                await Task {
                    for interruption in step.interruptions {
                        interruptions.append(await simulation.perform(interruption.act))
                    }
                }.value
            }
        case .real(let device, let recording):
            _ = recording.drain()
            if case .here = device.person { device.tell("\(step.device ?? ""): \(step.instructions)") }
        }
    }

    /// The device's records since ``prepare(for:_:)``.
    func takeRecord() async -> DeviceRecord {
        switch kind {
        case .simulated(let simulation):
            DeviceRecord(
                events: simulation.device.log.drain(), unusedActs: await simulation.person.clearQueuedActs(),
                offers: await simulation.person.takeOffers().map { $0.map { $0.name ?? $0.displayName } },
                given: await simulation.person.takeGivenActs(), unusedPINs: pins.count,
                missedInterruption: await simulation.person.forgetInterruption())
        case .real(_, let recording): DeviceRecord(answers: recording.drain())
        }
    }

    /// The acts of a step that a real device does not support.
    func notes(on step: ScenarioStep) -> [String] {
        guard case .real(let device, _) = kind else { return [] }
        switch device.person {
        case .elsewhere where !step.person.isEmpty:
            let acts = step.person.map(\.word).joined(separator: ", ")
            return ["the user is not at this terminal and got no instruction for \(acts)"]
        case .here where !step.pins.isEmpty: return ["the user entered the PIN; the scenario's PIN was not used"]
        default: return []
        }
    }
}
