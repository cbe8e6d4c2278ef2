internal import AppHost
internal import BiometricStatistics
internal import DeviceActs
internal import DeviceProfiles
internal import Documents
internal import Faults
internal import ForeignParties
internal import ProfileFiles
internal import RelyingPartyServer
internal import SimulatedDevice
internal import Trace
internal import VirtualAuthenticator

/// The environment of a running scenario: its clock, its devices and accounts, the relying party and the snapshots.
actor Stage {
    let clock: SimulatedClock
    let devices: [String: StageDevice]
    let accounts: [SyncAccount]
    /// The relying party, as pages use it.
    let party: any PageParty
    /// Touchstone's own relying party; nil for a foreign one.
    nonisolated let ownSite: Site?
    let timeline: TimelineRecorder
    nonisolated let exchanges = ExchangeLog()
    nonisolated let faults = FaultUse()
    nonisolated let settings: SettingUse
    /// The reference app on each simulated device with a screen.
    let apps: [String: AppHost]
    private var snapshots: [String: StoredDevice] = [:]
    /// The documents of passkeys that devices exported.
    private var documents: [String: String] = [:]

    /// Switches the devices on and starts the relying party.
    ///
    /// - Parameters:
    ///   - real: real devices by the names of those they stand for.
    ///   - foreign: the relying party of another program; nil for Touchstone's own.
    init(
        _ scenario: Scenario, profiles: ProfileLibrary, seed: UInt64, trace: TraceRecorder?,
        real: [String: RealDevice] = [:], foreign: ForeignParty? = nil
    ) async throws {
        let clock = SimulatedClock()
        settings = SettingUse(observed: scenario.observedDevices)
        let tag = PartySession.newTag()
        // A foreign relying party goes on between runs and would refuse the credential IDs of an earlier one.
        let random = SeededRandomSource(seed: foreign == nil ? seed : Self.seed(seed, for: tag))
        let timeline = TimelineRecorder(clock)
        let noteExchange: @Sendable (RelyingPartyExchange) -> Void = { [exchanges] exchange in
            exchanges.note(exchange)
            timeline.note(exchange)
        }
        var devices: [String: StageDevice] = [:]
        do {
            for (name, profile) in zip(scenario.devices.map(\.name), try scenario.profiles(from: profiles)) {
                if let device = real[name] {
                    devices[name] = StageDevice(device)
                    continue
                }
                let plan = scenario.people[name].map { plan in
                    StatisticalUser.Plan(plan.model, subject: plan.subject, seed: Self.seed(seed, for: name))
                }
                devices[name] = try await StageDevice(
                    profile, plan: plan, clock: clock, random: random,
                    trace: trace?.device(
                        name, title: "\(profile.title), in “\(scenario.name)”", vocabulary: profile.platformErrors,
                        now: clock.now),
                    onEvent: { timeline.note($0, of: name) },
                    isServed: scenario.hasTransportFaults || profile.faults.contains { $0.layer == .transport })
            }
            accounts = try await Self.accounts(of: scenario, devices, clock)
            if let foreign {
                party = try ForeignSite(foreign, tag: tag, onExchange: noteExchange)
                (ownSite, apps) = (nil, [:])
            } else {
                let site = try await Site(
                    clock: clock, random: random, checksAttestation: real.isEmpty, settings: scenario.relyingParty,
                    restarts: scenario.restartsServer, onExchange: noteExchange)
                (party, ownSite) = (site, site)
                let plan = scenario.app ?? AppPlan()
                site.setResident(of: plan.role)
                var apps: [String: AppHost] = [:]
                for (name, device) in devices {
                    apps[name] = device.app(
                        plan, at: site, clock: clock, random: random,
                        passStorage: { [settings] in
                            settings.note(.app(.storageLatency))
                            clock.advance(by: plan.storageLatency)
                        },
                        onEvent: { timeline.note($0, device: name) })
                }
                self.apps = apps
            }
        } catch {
            for device in devices.values { await device.close() }
            throw error
        }
        self.clock = clock
        self.timeline = timeline
        self.devices = devices
    }

    private static func accounts(
        of scenario: Scenario, _ devices: [String: StageDevice], _ clock: SimulatedClock
    ) async throws -> [SyncAccount] {
        var accounts: [SyncAccount] = []
        for declared in scenario.accounts {
            let account = SyncAccount(name: declared.name, delay: declared.delay, time: clock)
            for name in declared.devices {
                guard let device = devices[name]?.simulation?.device else { continue }
                do {
                    try await account.join(device)
                } catch {
                    throw declared.place.error("\(name): \(error)")
                }
            }
            accounts.append(account)
        }
        return accounts
    }

    /// A seed for each device's user, derived from the run's.
    private static func seed(_ seed: UInt64, for name: String) -> UInt64 {
        name.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    nonisolated func site() throws(PlaybackError) -> Site {
        guard let ownSite else { throw PlaybackError("the step needs touchstone's own relying party") }
        return ownSite
    }

    nonisolated func device(_ name: String?) throws(PlaybackError) -> StageDevice {
        guard let device = name.flatMap({ devices[$0] }) else {
            throw PlaybackError("the step happens on no device of the scenario")
        }
        return device
    }

    nonisolated func simulation(_ name: String?) throws(PlaybackError) -> StageDevice.Simulation {
        guard let simulation = try device(name).simulation else {
            throw PlaybackError("the step needs a simulated device")
        }
        return simulation
    }

    nonisolated func app(_ name: String?) throws(PlaybackError) -> AppHost {
        guard let app = name.flatMap({ apps[$0] }) else {
            throw PlaybackError("the step needs a simulated phone or computer, which runs the app")
        }
        return app
    }

    func keep(_ snapshot: StoredDevice, as name: String) { snapshots[name] = snapshot }

    func keep(document: String, as name: String) { documents[name] = document }

    func document(_ name: String) throws(PlaybackError) -> String {
        guard let document = documents[name] else {
            throw PlaybackError("there is no document \"\(name)\", because its export was refused")
        }
        return document
    }

    func snapshot(_ name: String) throws(PlaybackError) -> StoredDevice {
        guard let snapshot = snapshots[name] else { throw PlaybackError("there is no snapshot \"\(name)\"") }
        return snapshot
    }

    /// Delivers synced passkeys that are due by the clock.
    func settle() async {
        for account in accounts { await account.settle() }
    }

    /// Lets the apps follow the events at their devices.
    func observeApps() async {
        for name in apps.keys.sorted() { await apps[name]?.observe() }
    }

    func tearDown() async {
        await party.tearDown()
        for device in devices.values { await device.close() }
    }
}

extension Scenario {
    fileprivate var restartsServer: Bool {
        steps.contains { step in
            if case .site(.restartServer) = step.action { true } else { false }
        }
    }

    /// Whether a step arms a transport fault, for which devices must be served by a transport.
    fileprivate var hasTransportFaults: Bool {
        steps.contains { step in
            guard case .device(.act(let act)) = step.action else { return false }
            return act.fault?.layer == .transport
        }
    }
}
