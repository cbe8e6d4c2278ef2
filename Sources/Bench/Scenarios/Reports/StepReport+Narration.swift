internal import CTAP
internal import DeviceActs
internal import DeviceProfiles
internal import Foundation
internal import PlatformErrors
internal import SimulatedDevice
internal import VirtualAuthenticator

extension StepReport {
    init(
        _ step: ScenarioStep, number: Int, profile: DeviceProfile?, observation: Observation,
        mismatches: [Mismatch], notes: [String]
    ) {
        self.init(
            number: number, line: step.line, title: step.title + Self.ending(observation), device: step.device,
            wasPlayed: true,
            did: Self.deeds(observation.events), ctap: Self.answers(observation),
            server: observation.server, told: observation.told(in: profile?.platformErrors),
            cause: observation.cause, platformErrors: observation.platformErrors(in: profile?.platformErrors),
            mismatches: mismatches,
            notes: notes,
            events: mismatches.isEmpty
                ? [] : observation.events.map { EventDescription($0, in: profile?.platformErrors) })
    }

    /// How a step ended that was refused, as it may have been meant to be.
    private static func ending(_ observation: Observation) -> String {
        if observation.breakdown != nil { return " → not played to its end" }
        return observation.succeeded ? "" : " → refused" + (observation.cause.map { ": \($0)" } ?? "")
    }

    static func notPlayed(_ step: ScenarioStep, number: Int) -> StepReport {
        StepReport(
            number: number, line: step.line, title: step.title, device: step.device, wasPlayed: false, did: [],
            ctap: [], server: [], told: [], cause: nil, platformErrors: [], mismatches: [], notes: [], events: [])
    }

    /// What the device and its person did: the gate's moves and the touches.
    private static func deeds(_ events: [AuthenticatorEvent]) -> [String] {
        events.compactMap { event in
            switch event.kind {
            case .gate, .presenceAnswered, .pinChecked, .powerCycled, .wasReset, .credentialCreated,
                .credentialUsed, .enrolmentSample, .vendorPrototype, .faultApplied, .u2f, .device:
                EventDescription(event).text
            case .request, .answer, .presenceAsked, .counter: nil
            }
        }
    }

    /// The answers that matter: the ceremonies' own, and every refusal.
    private static func answers(_ observation: Observation) -> [String] {
        if let overheard = observation.overheard {
            return overheard.compactMap { answer in
                answer.status != .ok || isCeremony(answer.command) ? "\(answer.command): \(answer.status)" : nil
            }
        }
        return observation.events.compactMap { event in
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
    /// The step in a few words.
    var title: String {
        switch action {
        case .createAccount(let name, _): "\(name) makes an account"
        case .signOut: "signs out"
        case .register: "registers a passkey" + acts
        case .signIn(let ceremony): "signs in" + (ceremony.account.map { " as \($0)" } ?? "") + acts
        case .reauthenticate: "shows again who is there" + acts
        case .listPasskeys: "opens the passkey settings"
        case .deletePasskey(let number): "deletes passkey \(number)"
        case .setPIN: "sets a PIN"
        case .changePIN: "changes the PIN"
        case .act(let act): act.words + acts
        case .snapshot(let name): "is copied as \(name)"
        case .restore(let name): "becomes what \(name) is"
        case .sharePasskey(let filter, let other): "\(filter.words) is shared with \(other)"
        case .replaceDevice(let other): "\(other) takes its place"
        case .reset: "is reset" + acts
        case .restartServer: "the server stops and starts again"
        case .wait(let span): "\(Self.words(span)) pass"
        case .check: "is looked at"
        }
    }

    /// A span the way a scenario writes it.
    private static func words(_ span: Duration) -> String {
        let seconds = span / .seconds(1)
        return seconds >= 120 ? "\(Int(seconds / 60)) minutes" : "\(seconds.formatted()) seconds"
    }

    private var acts: String {
        let meanwhile = meanwhile.isEmpty ? "" : "; meanwhile " + meanwhile.map(\.act.words).joined(separator: ", ")
        guard !person.isEmpty else { return meanwhile }
        return ": " + person.map(\.word).joined(separator: ", ") + meanwhile
    }
}

extension ScenarioStep.Action {
    /// What the app or the page asks for; nil for what is done to a device.
    var operation: PlatformOperation? {
        switch self {
        case .register: .create
        case .signIn, .reauthenticate: .get
        case .act(.readSecret), .act(.checkSecret): .read
        case .act(.verify): .verify
        default: nil
        }
    }
}
