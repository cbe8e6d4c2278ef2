internal import Biometrics
internal import CTAPHID
public import Devices
internal import Faults
internal import Foundation
public import Trace
internal import Transports
internal import VirtualAuthenticator

/// Plays scenarios: real HTTP to a relying party of their own, devices on a simulated clock.
public struct ScenarioRunner: Sendable {
    private let profiles: ProfileLibrary
    private let seed: UInt64
    private let trace: TraceRecorder?

    /// - Parameters:
    ///   - profiles: where the devices' profiles are.
    ///   - seed: what the devices' and the relying party's randomness follows from.
    ///   - trace: records what goes in and out of the devices, and what happens in them.
    public init(profiles: ProfileLibrary, seed: UInt64 = 1, trace: TraceRecorder? = nil) {
        self.profiles = profiles
        self.seed = seed
        self.trace = trace
    }

    /// Plays one scenario; the steps after the first that fails are not played.
    ///
    /// - Parameter onStep: hears each step as it ends.
    /// - Throws: when the stage cannot be set: a profile is missing, or no port is free.
    public func run(
        _ scenario: Scenario, onStep: @Sendable (StepReport) -> Void = { _ in }
    ) async throws -> ScenarioReport {
        let stage = try await Stage(scenario, profiles: profiles, seed: seed, trace: trace)
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

    private func play(
        _ step: ScenarioStep, number: Int, on stage: Stage, _ scenario: Scenario
    ) async -> StepReport {
        let actor = step.device.flatMap { stage.actors[$0] }
        var observation = Observation()
        _ = actor?.device.log.drain()
        for act in step.person { await actor?.person.tell(act) }
        actor?.pins.willType(step.pins)
        do {
            try await perform(step, actor, stage, &observation)
        } catch {
            observation.succeeded = false
            observation.ownCause = "\(error)"
        }
        observation.events = actor?.device.log.drain() ?? []
        observation.refusal =
            observation.events.lazy.reversed().compactMap { event in
                if case .answer(_, _, let refusal?) = event.kind { refusal } else { nil }
            }.first
        let unused = await actor?.person.forgetPlans() ?? []
        let snapshot = await actor?.device.authenticator.snapshot()
        var mismatches = ExpectationChecker(
            observation: observation, snapshot: snapshot, platform: actor?.device.profile.platform
        ).mismatches(step.expectation)
        if !unused.isEmpty {
            mismatches.append(
                Mismatch(
                    line: step.line, subject: "person", expected: "asked for every act",
                    seen: "never asked for the last \(unused.count)"))
        }
        return StepReport(
            step, number: number, profile: actor?.device.profile, observation: observation, mismatches: mismatches)
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
        let device = actor.device
        switch action {
        case .register(let ceremony): try await stage.register(ceremony, on: actor, &observation)
        case .signIn(let ceremony):
            try await stage.authenticate(ceremony, purpose: "sign-in", on: actor, &observation)
        case .reauthenticate(let ceremony):
            try await stage.authenticate(ceremony, purpose: "reauthenticate", on: actor, &observation)
        case .setPIN(let pin): await stage.setPIN(from: nil, to: pin, on: actor, &observation)
        case .changePIN(let old, let new): await stage.setPIN(from: old, to: new, on: actor, &observation)
        case .storeSecret(let name, let access):
            await stage.storeSecret(name, access: access, on: actor, &observation)
        case .readSecret(let name): await stage.readSecret(name, on: actor, &observation)
        case .unlock(let correctly):
            _ = await device.unlock(correctly: correctly)
            observation.succeeded = correctly
        case .enrol(let template):
            await stage.changeEnrolment({ () throws(GateError) in try await device.enrol(template) }, &observation)
        case .unenrol(let template?):
            await stage.changeEnrolment(
                { () throws(GateError) in try await device.removeTemplate(named: template) }, &observation)
        case .unenrol(nil): await device.removeAllTemplates()
        case .sensor(let state):
            if let availability = SensorAvailability(rawValue: state) { await device.setSensor(availability) }
        case .powerCycle:
            if let endpoint = actor.endpoint {
                await endpoint.powerCycle()
            } else {
                await device.authenticator.powerCycle()
            }
        case .snapshot(let name): try await stage.takeSnapshot(name, of: device)
        case .restore(let name): try await stage.restore(name, to: device)
        case .reset: await stage.reset(actor, &observation)
        case .forgetCredentials:
            for credential in await device.authenticator.snapshot().credentials {
                await device.authenticator.removeCredential(credential.id)
            }
        case .fault(let name, let times): await device.arm(try Fault(parsing: name), times: times)
        case .noFaults:
            if device.transport.isUnplugged { await actor.endpoint?.powerCycle() }
            await device.clearFaults()
        case .createAccount, .signOut, .listPasskeys, .deletePasskey, .restartServer, .wait, .check: break
        }
    }
}
