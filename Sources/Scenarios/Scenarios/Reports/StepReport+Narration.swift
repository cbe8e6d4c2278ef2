internal import AppHost
internal import CTAP
internal import Causes
internal import DeviceActs
internal import DeviceProfiles
internal import Documents
internal import PlatformErrors
internal import RelyingPartyServer
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import Wording

extension StepReport {
    init(
        _ step: ScenarioStep, number: Int, profile: DeviceProfile?, observation: Observation,
        checks: [CheckedExpectation], showsRequirements: Bool, mismatches: [Mismatch], notes: [String],
        timeline: [TimelineEntry], realSeconds: Double
    ) {
        self.init(
            number: number, file: step.place.file, line: step.line, name: step.title,
            title: step.title + Self.ending(observation),
            device: step.device, requirements: showsRequirements ? step.requirements : [], wasPlayed: true,
            did: Self.acts(observation.device.events), ctap: Self.answers(observation),
            server: observation.exchanges.map(\.line) + observation.app.exchanges.map(\.line),
            told: observation.told(in: profile?.platformErrors),
            cause: observation.cause, platformErrors: observation.platformErrors(in: profile?.platformErrors),
            checks: checks, mismatches: mismatches, notes: notes,
            events: mismatches.isEmpty
                ? [] : observation.device.events.map { EventDescription($0, in: profile?.platformErrors) },
            timeline: timeline, realSeconds: realSeconds
        )
    }

    /// The end of the title of a step that was refused, expected or not.
    private static func ending(_ observation: Observation) -> String {
        if observation.playbackError != nil { return " → not played to its end" }
        return observation.succeeded ? "" : " → refused" + (observation.reason.map { ": \($0)" } ?? "")
    }

    static func notPlayed(_ step: ScenarioStep, number: Int) -> StepReport {
        StepReport(
            number: number, file: step.place.file, line: step.line, name: step.title, title: step.title,
            device: step.device, requirements: step.requirements, wasPlayed: false, did: [], ctap: [], server: [],
            told: [], cause: nil,
            platformErrors: [], checks: [], mismatches: [], notes: [], events: [], timeline: [], realSeconds: 0)
    }

    private static func acts(_ events: [AuthenticatorEvent]) -> [String] {
        events.compactMap { event in
            switch event.kind {
            case .gate, .presenceAnswered, .pinChecked, .powerCycled, .wasReset, .credentialCreated,
                .credentialUsed, .enrolmentSample, .vendorPrototype, .faultApplied, .u2f, .device:
                EventDescription(event).text
            case .request, .answer, .presenceAsked, .counter: nil
            }
        }
    }

    /// The answers to ceremonies and resets, and every refusal.
    private static func answers(_ observation: Observation) -> [String] {
        if let answers = observation.device.answers {
            return answers.compactMap { answer in
                answer.status != .ok || isCeremony(answer.command) ? "\(answer.command): \(answer.status)" : nil
            }
        }
        return observation.device.events.compactMap { event in
            guard case .answer(let command, let status, let refusal) = event.kind else { return nil }
            if let refusal { return "\(command): \(status), \(refusal.reason.label)" }
            return isCeremony(command) ? "\(command): \(status)" : nil
        }
    }

    private static func isCeremony(_ command: CTAPCommand) -> Bool {
        command == .makeCredential || command == .getAssertion || command == .reset
    }
}

extension ScenarioStep {
    /// The step in a few words, with the user's acts and the interruptions.
    var title: String {
        let acts = person.isEmpty ? "" : ": " + person.map(\.word).joined(separator: ", ")
        let meanwhile =
            interruptions.isEmpty ? "" : "; meanwhile " + interruptions.map(\.act.words).joined(separator: ", ")
        return (together == nil ? "" : "side by side: ") + action.title + acts + meanwhile
    }
}

extension ScenarioStep.Action {
    fileprivate var title: String {
        switch self {
        case .site(let step): step.title
        case .service(let step): step.title
        case .ceremony(let step): step.title
        case .page(let step): step.title
        case .device(let step): step.title
        case .app(let step): step.title
        case .setClockBack(let span): "the clock is set back by \(Wording.span(span))"
        case .wait(let span): "waits \(Wording.span(span))"
        case .check: "is checked"
        }
    }

    /// The operation whose platform errors a failure shows; nil for a step that no app takes part in.
    var operation: PlatformOperation? {
        switch self {
        case .ceremony(let step): step.operation
        case .page: .get
        case .device(let step): step.operation
        case .site, .service, .app, .wait, .setClockBack, .check: nil
        }
    }
}
