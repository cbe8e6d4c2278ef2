internal import CTAPHID
internal import DeviceActs
package import DeviceProfiles
internal import Foundation
internal import SimulatedDevice
package import Trace
internal import Transports
internal import VirtualAuthenticator
internal import WebAuthnClient

/// Plays scenarios: real HTTP to a relying party of their own, devices on a simulated clock.
package struct ScenarioRunner: Sendable {
    private let profiles: ProfileLibrary
    private let seed: UInt64
    private let trace: TraceRecorder?

    /// - Parameters:
    ///   - profiles: where the devices' profiles are.
    ///   - seed: what the devices' and the relying party's randomness follows from.
    ///   - trace: records what goes in and out of the devices, and what happens in them.
    package init(profiles: ProfileLibrary, seed: UInt64 = 1, trace: TraceRecorder? = nil) {
        self.profiles = profiles
        self.seed = seed
        self.trace = trace
    }

    /// Plays one scenario; the steps after the first that fails are not played.
    ///
    /// - Parameters:
    ///   - real: devices that are really there, by the names of those they stand for.
    ///   - onStep: hears each step as it ends.
    /// - Throws: when the stage cannot be set: a profile is missing, no port is free, or a step needs a simulated device
    ///   where there is a real one.
    package func run(
        _ scenario: Scenario, on real: [String: RealDevice] = [:], onStep: @Sendable (StepReport) -> Void = { _ in }
    ) async throws -> ScenarioReport {
        try scenario.checkPlayable(on: real.mapValues(\.person))
        let stage = try await Stage(scenario, profiles: profiles, seed: seed, trace: trace, real: real)
        let started = ContinuousClock.now
        let simulatedStart = stage.clock.now()
        var steps: [StepReport] = []
        for (index, step) in scenario.steps.enumerated() {
            let report = await play(step, number: index + 1, on: stage, scenario)
            steps.append(report)
            onStep(report)
            guard report.passed else { break }
        }
        let notPlayed = scenario.steps.dropFirst(steps.count).enumerated().map { index, step in
            StepReport.notPlayed(step, number: steps.count + index + 1)
        }
        let simulated = stage.clock.now() - simulatedStart
        await stage.strike()
        return ScenarioReport(
            name: scenario.name, file: scenario.file, requirements: scenario.requirements,
            steps: steps + notPlayed, realSeconds: (ContinuousClock.now - started) / .seconds(1),
            simulatedSeconds: simulated / .seconds(1))
    }

    /// Plays one step, and holds what was seen against what was expected.
    func play(
        _ step: ScenarioStep, number: Int, on stage: Stage, _ scenario: Scenario
    ) async -> StepReport {
        let actor = step.device.flatMap { stage.actors[$0] }
        var observation = Observation()
        observation.operation = step.action.operation
        await stage.settle()
        let happenings = Happenings()
        await prepare(actor, for: step, happenings)
        do {
            try await perform(step, actor, stage, &observation)
        } catch {
            observation.succeeded = false
            observation.breakdown = error as? Breakdown ?? Breakdown(error)
        }
        await stage.settle()
        if case .real(_, let device)? = actor?.part { observation.overheard = device.drain() }
        let simulation = actor?.simulation
        observation.events = simulation?.device.log.drain() ?? []
        observation.refusal =
            observation.events.lazy.reversed().compactMap { event in
                if case .answer(_, _, let refusal?) = event.kind { refusal } else { nil }
            }.first
        let unused = await simulation?.person.forgetPlans() ?? []
        let didNotHappen = await simulation?.person.forgetInterruption() ?? false
        let checker = ExpectationChecker(
            observation: observation, snapshot: await simulation?.device.authenticator.snapshot(),
            device: simulation?.device, vocabulary: actor?.profile?.platformErrors)
        var mismatches = checker.mismatches(step.expectation)
        if !unused.isEmpty {
            mismatches.append(
                Mismatch(
                    line: step.line, subject: "person", expected: "asked for every act",
                    seen: "never asked for the last \(unused.count)"))
        }
        if didNotHappen {
            mismatches.append(
                Mismatch(
                    line: step.line, subject: "meanwhile", expected: "a prompt in which it could happen",
                    seen: "no prompt that the person left open"))
        } else {
            mismatches += happenings.mismatches(step.meanwhile)
        }
        return StepReport(
            step, number: number, profile: actor?.profile, observation: observation, mismatches: mismatches,
            notes: notes(on: step, actor) + checker.notes(step.expectation))
    }

    /// Tells whoever is at the device what they will do.
    private func prepare(_ actor: Stage.Actor?, for step: ScenarioStep, _ happenings: Happenings) async {
        guard let actor else { return }
        actor.pins.willType(step.pins)
        switch actor.part {
        case .simulated(let simulation):
            _ = simulation.device.log.drain()
            for act in step.person { await simulation.person.tell(act) }
            guard !step.meanwhile.isEmpty else { break }
            await simulation.person.interrupt {
                for happening in step.meanwhile { happenings.append(await simulation.perform(happening.act)) }
            }
        case .real(let device, let overheard):
            _ = overheard.drain()
            if case .here = device.person { device.tell("\(step.device ?? ""): \(step.instructions)") }
        }
    }

    /// What of a step a real device cannot be made to do.
    private func notes(on step: ScenarioStep, _ actor: Stage.Actor?) -> [String] {
        guard case .real(let device, _)? = actor?.part else { return [] }
        switch device.person {
        case .elsewhere where !step.person.isEmpty:
            return ["nobody was told to do \(step.person.map(\.word).joined(separator: ", ")): the person is elsewhere"]
        case .here where !step.pins.isEmpty: return ["the PIN is the person's own, not the scenario's"]
        default: return []
        }
    }

    private func perform(
        _ step: ScenarioStep, _ actor: Stage.Actor?, _ stage: Stage, _ observation: inout Observation
    ) async throws {
        switch step.action {
        case .createAccount(let name, let password):
            try await stage.createAccount(name, password: password, &observation)
        case .signOut: try await stage.signOut(&observation)
        case .listPasskeys: _ = try await stage.listPasskeys(&observation)
        case .deletePasskey(let number): try await stage.deletePasskey(number: number, &observation)
        case .restartServer: try await stage.restartServer()
        case .wait(let span): stage.clock.advance(by: span)
        case .check: break
        default:
            guard let actor else { return }
            try await perform(step.action, on: actor, stage, &observation)
        }
    }

    private func perform(
        _ action: ScenarioStep.Action, on actor: Stage.Actor, _ stage: Stage, _ observation: inout Observation
    ) async throws {
        switch action {
        case .register(let ceremony): try await stage.register(ceremony, on: actor, &observation)
        case .signIn(let ceremony):
            try await stage.authenticate(ceremony, purpose: "sign-in", on: actor, &observation)
        case .reauthenticate(let ceremony):
            try await stage.authenticate(ceremony, purpose: "reauthenticate", on: actor, &observation)
        case .setPIN(let pin): await stage.setPIN(from: nil, to: pin, on: actor, &observation)
        case .changePIN(let old, let new): await stage.setPIN(from: old, to: new, on: actor, &observation)
        case .reset: await stage.reset(actor, &observation)
        default:
            // Real devices were refused all else before anything ran.
            guard let simulation = actor.simulation else { return }
            try await perform(action, on: simulation, stage, &observation)
        }
    }

    private func perform(
        _ action: ScenarioStep.Action, on simulation: Stage.Simulation, _ stage: Stage,
        _ observation: inout Observation
    ) async throws {
        let device = simulation.device
        switch action {
        case .act(let act):
            let result = await simulation.perform(act)
            observation.succeeded = result.cause == nil
            observation.ownCause = result.cause
            observation.answer = result.answer
        case .snapshot(let name): try await stage.takeSnapshot(name, of: device)
        case .restore(let name): try await stage.restore(name, to: device)
        case .sharePasskey(let filter, let other):
            try await stage.share(filter, from: device, to: other, &observation)
        case .replaceDevice(let other): try await stage.replace(device, by: other, &observation)
        case .createAccount, .signOut, .listPasskeys, .deletePasskey, .restartServer, .wait, .check, .register,
            .signIn, .reauthenticate, .setPIN, .changePIN, .reset:
            break
        }
    }
}
