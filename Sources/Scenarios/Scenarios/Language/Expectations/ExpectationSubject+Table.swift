internal import Biometrics
internal import CTAP
internal import Causes
internal import DeviceProfiles
internal import Documents
internal import PlatformErrors
internal import RelyingPartyServer
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn
internal import WebAuthnClient
internal import Wording

extension Expectation.Subject {
    static let outcome = Self(
        "outcome", .states(Expectation.Outcome.allCases.map(\.rawValue)), .everywhere,
        "Whether the step succeeds (ok, the default) or is refused."
    ) { [$0.observation.outcome.rawValue] }
    static let cause = Self(
        "cause", .names(Cause.known.map(\.rawValue)), .simulation, "The cause of a refusal.", namesReason: true
    ) { one($0.observation.reportedCause) }
    static let code = Self(
        "code", .text, .everywhere, "The machine code of the relying party's error.", namesReason: true
    ) { one($0.observation.exchanges.last { !$0.isSuccess }?.problem?.code) }
    .from(.request)
    static let ledger = Self(
        "ledger", .names(VerificationStep.allCases.map(\.rawValue)), .everywhere,
        "A verification step that failed, such as a10.", namesReason: true
    ) { $0.observation.exchanges.flatMap(\.failedSteps) }
    .from(.request)
    static let answer = Self(
        "answer", .text, .simulatedDevice(), "The result of an act: a secret, or how long an app was away."
    ) { one($0.observation.step.answer) }

    /// The subjects that an act in the middle of a prompt shows.
    static let ofActs = [outcome, cause, answer]

    /// Every subject, in the order of the documentation.
    package static let all: [Self] = ListBuilder<Self>.list {
        outcome
        Self(
            "page", .names(DOMExceptionName.allCases.map(\.rawValue)), .device,
            "The DOMException that the page gets."
        ) { one($0.observation.pageException?.rawValue) }
        .from(.ceremony)
        Self("client", .text, .device, "The reason label of the client's own refusal.", namesReason: true) {
            one($0.observation.step.clientError?.reason.label)
        }
        .from(.ceremony)
        Self(
            "status", .names(CTAPStatus.all.compactMap(\.name)), .device,
            "The CTAP status of the device's last refusal.", namesReason: true
        ) { one($0.observation.status.map { $0.name ?? $0.description }) }
        Self(
            "reason", .text, .simulatedDevice(), "The reason label of the device's last refusal.", namesReason: true
        ) { one($0.observation.refusal?.reason.label) }
        cause
        Self(
            "told", .partOfError, .simulatedDevice(),
            "A part of an error that the page or the app gets, in whole words and numbers.",
            namesReason: true
        ) {
            $0.observation.told(in: $0.device?.profile.platformErrors)
        }
        Self(
            "http", .whole(100...599), .everywhere, "The HTTP status of the relying party's last answer."
        ) {
            one($0.observation.exchanges.last?.status)
        }
        .from(.request)
        code
        ledger
        Self(
            "prompts", .number, .simulatedDevice(),
            "How often the gate asked the user: for a sample, the passcode, a confirmation or another try."
        ) {
            one($0.observation.prompts)
        }
        ignored
        Self("touches", .number, .simulatedDevice(), "The number of touches requested.") {
            one($0.observation.touches)
        }
        Self("user-verified", .flag, .device, "Whether UV is set in the authenticator data.") {
            one($0.observation.step.authenticatorData?.flags.contains(.userVerified))
        }
        .from(.ceremony)
        Self("backed-up", .flag, .device, "Whether BS is set in the authenticator data.") {
            one($0.observation.step.authenticatorData?.flags.contains(.backupState))
        }
        .from(.ceremony)
        Self(
            "sign-count", .number, .simulatedDevice("a real device's counter does not start at zero"),
            "The signature counter in the authenticator data."
        ) { one($0.observation.step.authenticatorData?.signCount) }
        .from(.ceremony)
        Self("passkeys", .number, .everywhere, "The number of passkeys that the relying party lists.") {
            one($0.observation.step.passkeys)
        }
        .from(.passkeyList)
        answer
        Self("items", .text, .simulatedDevice(), "The name of an item in secure storage; another app's as APP/NAME.") {
            $0.device?.secureStorage.ids.map(\.description) ?? []
        }
        screen
        Self(
            "network", .states(NetworkState.allCases.map(\.rawValue)), .simulatedDevice(), "The device's network."
        ) { one($0.device?.lifeState.network) }
        Self(
            "elapsed", .limit, .simulation,
            "The longest time that the step takes on the simulated clock, such as 2 s."
        ) { [Wording.span($0.observation.elapsed)] }
        Self(
            "app", .ending(AppState.labels), .simulatedDevice(),
            "The app's state, such as background; another app's as NAME STATE."
        ) { apps(of: $0.device) }

        // A device without a lockout differs from one whose lockout is "none".
        Self(
            "lockout", .states(Lockout.Kind.allCases.map(\.rawValue)), .simulatedDevice(),
            "The lockout of the device's sensors."
        ) { one($0.snapshot?.lockout?.label) }
        Self("failures", .number, .simulatedDevice(), "The failed attempts in a row at the device's sensors.") {
            one($0.snapshot?.gate?.consecutiveFailures)
        }
        Self("uv-retries", .number, .simulatedDevice(), "The retries of built-in user verification that are left.") {
            one($0.snapshot?.uvRetries)
        }
        Self("pin-retries", .number, .simulatedDevice(), "The PIN retries that are left.") {
            one($0.snapshot?.pinRetries)
        }
        Self("credentials", .number, .simulatedDevice(), "The number of discoverable credentials on the device.") {
            one($0.snapshot?.credentials.count)
        }
        Self("enrolled", .text, .simulatedDevice(), "The name of a template enrolled on the device.") {
            $0.snapshot?.gate?.sensors.flatMap(\.templates).map(\.name) ?? []
        }
        wire.map { $0.from(.request) }
        table
        ofApp.map { $0.from(.app) }
        ofServices
    }

    static let ignored = Self(
        "ignored", .names(UserAct.vocabulary.map(\.word)), .simulatedDevice(),
        "An act of the step that its prompt ignored, such as a passcode where no field is open; without it such an act fails the step."
    ) { $0.observation.device.ignoredActs }

    private static func one(_ value: (some Any)?) -> [String] { value.map { ["\($0)"] } ?? [] }

    /// The default app's state alone, every other app's with its name before it.
    private static func apps(of device: SimulatedDevice?) -> [String] {
        (device?.lifeState.apps ?? [:]).sorted { $0.key < $1.key }.map { name, state in
            name == SecretID.defaultApp ? state.label : "\(name) \(state.label)"
        }
    }
}
