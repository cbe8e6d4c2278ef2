internal import AppHost
internal import DeviceProfiles
package import ForeignParties
package import ProfileFiles
internal import Providers
internal import ReferenceApp
internal import RelyingPartyServer
internal import SimulatedDevice
internal import Synchronization
package import Trace
internal import VirtualAuthenticator

/// Plays scenarios: each with a relying party of its own over real HTTP, and devices on a simulated clock.
package struct ScenarioRunner: Sendable {
    private let profiles: ProfileLibrary
    private let seed: UInt64
    private let trace: TraceRecorder?
    private let isStrict: Bool
    private let keepsTraces: Bool
    private let foreign: ForeignParty?

    /// - Parameters:
    ///   - seed: the seed of the devices' and the relying party's randomness.
    ///   - isStrict: whether a step fails that expects a refusal without a reason for it.
    ///   - keepsTraces: whether each report has the devices' messages and events.
    ///   - foreign: the relying party of another program; nil for one of Touchstone's own in each run.
    package init(
        profiles: ProfileLibrary, seed: UInt64 = 1, trace: TraceRecorder? = nil, isStrict: Bool = false,
        keepsTraces: Bool = false, relyingParty foreign: ForeignParty? = nil
    ) {
        self.profiles = profiles
        self.seed = seed
        self.trace = trace
        self.isStrict = isStrict
        self.keepsTraces = keepsTraces
        self.foreign = foreign
    }

    /// Plays one scenario; the steps after the first that fails are not played.
    ///
    /// - Parameters:
    ///   - number: its place among all selected runs.
    ///   - real: real devices by the names of those they stand for.
    ///   - onStep: is called with each step's report as the step ends, and again for a fault without an effect.
    /// - Throws: when the scenario cannot start: a profile is missing, no port is free, or a step needs a simulated
    ///   device where a real one is used, or Touchstone's own relying party where a foreign one is.
    package func run(
        _ scenario: Scenario, number: Int = 1, of part: ReportPart = ReportPart(), on real: [String: RealDevice] = [:],
        onStep: @Sendable (StepReport) -> Void = { _ in }
    ) async throws -> ScenarioReport {
        try scenario.checkPlayable(on: real.mapValues(\.person))
        if let foreign { try scenario.checkPlayable(at: foreign) }
        let records = keepsTraces ? RecordLog() : nil
        let trace = records.map { $0.recorder(beside: self.trace) } ?? self.trace
        let stage = try await Stage(
            scenario, profiles: profiles, seed: seed, trace: trace, real: real, foreign: foreign)
        let started = ContinuousClock.now
        let simulatedStart = stage.clock.now()
        var steps: [StepReport] = []
        for group in scenario.groups {
            let reports = await play(group, from: steps.count + 1, on: stage)
            steps += reports
            reports.forEach(onStep)
            guard reports.allSatisfy(\.passed) else { break }
        }
        if steps.count == scenario.steps.count, steps.allSatisfy(\.passed) {
            let unused = stage.faults.mismatches
                .merging(stage.settings.mismatches, uniquingKeysWith: +)
                .merging([steps.count: await stage.unusedKeys(of: scenario)], uniquingKeysWith: +)
                .filter { !$0.value.isEmpty }
            for (number, mismatches) in unused.sorted(by: { $0.key < $1.key }) {
                steps[number - 1].mismatches += mismatches
                onStep(steps[number - 1])
            }
        }
        let notPlayed = scenario.steps.dropFirst(steps.count).enumerated().map { index, step in
            StepReport.notPlayed(step, number: steps.count + index + 1)
        }
        let simulated = stage.clock.now() - simulatedStart
        let taps = scenario.steps.prefix(steps.count).compactMap(\.taps)
        await stage.tearDown()
        return ScenarioReport(
            number: number, part: part, name: scenario.name, scenario: scenario.title,
            parameters: Dictionary(
                scenario.combination.choices.map { ($0.parameter, $0.value) }, uniquingKeysWith: { first, _ in first }),
            app: scenario.app.map { AppFacts($0) },
            devices: Dictionary(
                scenario.devices.map { ($0.name, $0.profile) }, uniquingKeysWith: { first, _ in first }),
            deviceFacts: stage.devices.mapValues(\.facts),
            file: scenario.file, seed: seed, requirements: scenario.requirements(in: steps + notPlayed),
            steps: steps + notPlayed,
            realSeconds: (ContinuousClock.now - started) / .seconds(1),
            simulatedSeconds: simulated / .seconds(1),
            taps: taps.isEmpty ? nil : taps.reduce(0, +),
            trace: records?.lines)
    }

    /// Plays a step, or several steps side by side.
    ///
    /// A step with its own session also gets a lane, which carries the session.
    private func play(_ steps: ArraySlice<ScenarioStep>, from number: Int, on stage: Stage) async -> [StepReport] {
        if steps.count == 1, let step = steps.first, step.session == nil {
            return [await play(step, number: number, on: stage)]
        }
        let turns = Turns(count: steps.count)
        return await withTaskGroup(of: StepReport.self) { group in
            for (index, step) in steps.enumerated() {
                group.addTask {
                    await turns.play(index, session: step.session) {
                        await play(step, number: number + index, on: stage)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.number < $1.number }
        }
    }

    func play(_ step: ScenarioStep, number: Int, on stage: Stage) async -> StepReport {
        let started = ContinuousClock.now
        let device = step.device.flatMap { stage.devices[$0] }
        let interruptions = InterruptionLog()
        await stage.settle()
        await device?.prepare(for: step, interruptions)
        _ = stage.timeline.take()
        stage.timeline.add(.user, step.title, device: step.device)
        let checksServices = step.expectation.checks.contains { $0.subject.concernsServices }
        let before = checksServices ? await stage.ownSite?.services.record() : nil
        let start = stage.clock.now()
        let result: Result<StepResult, PlaybackError>
        do {
            result = .success(try await perform(step, on: stage))
        } catch {
            result = .failure(error as? PlaybackError ?? PlaybackError(error))
        }
        await stage.observeApps()
        let elapsed = stage.clock.now() - start
        await stage.settle()
        var observation = Observation(
            result, operation: step.action.operation, exchanges: stage.exchanges.take(),
            device: await device?.takeRecord() ?? DeviceRecord(), elapsed: elapsed)
        if step.expectation.checks.contains(where: { $0.subject.name == Expectation.Subject.table.name }) {
            observation.tables = (try? await stage.ownSite?.tables()) ?? []
        }
        // Inside together, each step takes only the record of its own device's app.
        for (name, app) in stage.apps where name == step.device || Turns.lane == nil {
            let record = app.takeRecord()
            if name == step.device { observation.app = record }
        }
        stage.faults.note(step, number: number, events: observation.device.events)
        stage.settings.note(step, number: number, events: observation.device.events, on: stage)
        if let before, let after = await stage.ownSite?.services.record() { observation.services = after.since(before) }
        let simulated = device?.simulation?.device
        let checker = ExpectationChecker(
            observation: observation, device: simulated, snapshot: await simulated?.authenticator.snapshot(),
            app: step.device.flatMap { stage.apps[$0] }, foreign: foreign, isStrict: isStrict)
        for error in observation.told(in: device?.profile?.platformErrors) {
            stage.timeline.add(.screen, "gets \(error)", device: step.device)
        }
        let checks = checker.checks(step.expectation)
        return StepReport(
            step, number: number, profile: device?.profile, observation: observation, checks: checks,
            showsRequirements: checker.hasCheckedExpectation(step.expectation),
            mismatches: checker.mismatches(step.expectation, checks) + checker.mismatches(step, interruptions),
            notes: (device?.notes(on: step) ?? []) + checker.notes(on: step),
            timeline: stage.timeline.take(), realSeconds: (ContinuousClock.now - started) / .seconds(1))
    }

    private func perform(_ step: ScenarioStep, on stage: Stage) async throws -> StepResult {
        switch step.action {
        case .site(let action): return try await action.perform(on: stage)
        case .service(let action): return try await action.perform(at: stage.site())
        case .ceremony(let action): return try await action.perform(on: stage.device(step.device), at: stage.party)
        case .page(let action): return try await action.perform(on: stage.device(step.device), at: stage)
        case .device(let action): return try await action.perform(on: stage.simulation(step.device), stage: stage)
        case .app(let action): return try await action.perform(in: stage.app(step.device))
        case .wait(let span): stage.clock.advance(by: span)
        case .setClockBack(let span): stage.clock.setBack(by: span)
        case .check: break
        }
        return StepResult()
    }
}

extension Scenario {
    /// Its requirements without those of which no step shows anything.
    fileprivate func requirements(in reports: [StepReport]) -> [String] {
        let shown = Set(reports.flatMap(\.requirements))
        let unseen = Set(steps.flatMap(\.requirements)).subtracting(shown)
        return requirements.filter { !unseen.contains($0) }
    }
}

/// The records of a run's devices.
private final class RecordLog: Sendable {
    private let records = Mutex<[TraceRecord]>([])

    /// A recorder of a run; a recorder of all runs also gets its records.
    func recorder(beside other: TraceRecorder?) -> TraceRecorder {
        let append: @Sendable (TraceRecord) -> Void = { record in self.records.withLock { $0.append(record) } }
        return other.map { TraceRecorder(beside: $0, onRecord: append) } ?? TraceRecorder(onRecord: append)
    }

    var lines: [String] { Conversation().lines(records.withLock { $0 }).map(\.text) }
}
