import Biometrics
import SimulatedPhone
import Testing

/// A sequence of acts and prompts of an app, as a scenario has it.
struct GateSequence: Sendable, CustomTestStringConvertible {
    enum Move: Sendable {
        /// An act on the device, in the words of scenarios.
        case act(String, [String: String] = [:])
        case wait(Duration)
        /// The app verifies the user.
        case verify(Allowed = .biometrics, [PersonAct] = [], Options = Options())
        /// The app checks whether it can verify the user.
        case check(Allowed = .biometrics)
        /// The app stores a secret with an access, in the words of scenarios.
        case store(String, String, [String: String] = [:])
        /// The app reads a secret.
        case read(String, [PersonAct] = [], Options = Options())
        case delete(String)
    }

    enum Allowed: String, Sendable {
        case biometrics
        case biometricsOrPasscode = "biometrics-or-passcode"
    }

    struct Options: Sendable {
        /// The name of the app's context.
        var context: String?
        var hasFallbackButton = true
        var reuse = 0
        var allowsInteraction = true
        /// An act on the device while the prompt is open.
        var meanwhile: (verb: String, arguments: [String: String])?
    }

    /// The result of a move.
    enum Result: Hashable, Sendable {
        case done
        /// The number of the error that the app receives.
        case error(Int)
        /// The cause of a refusal that reaches no app.
        case refused(String)
        /// The device was in that state already, or the platform lacks it.
        case idle
    }

    /// The scenario that plays it.
    let scenario: String
    let moves: [Move]

    var testDescription: String { scenario }
}

extension GateSequence {
    static let all = prompts + states + lives

    private static let prompts = [
        GateSequence(
            scenario: "two-mismatches-then-match",
            moves: [
                .verify(.biometrics, [.noMatch, .match]), .verify(.biometrics, [.noMatch, .noMatch, .match]),
                .verify(.biometrics, [.noMatch, .cancel]),
            ]),
        GateSequence(
            scenario: "user-cancel",
            moves: [
                .verify(.biometrics, [.cancel]), .verify(.biometrics, [.noMatch, .noMatch, .fallback]), .verify(),
            ]),
        GateSequence(
            scenario: "failed-attempts-on-an-iphone",
            moves: [
                .verify(.biometrics, [.noMatch, .noMatch]), .verify(.biometrics, [.noMatch, .noMatch, .noMatch]),
                .check(), .verify(), .verify(.biometrics, [.match]),
            ]),
        GateSequence(
            scenario: "face-id-lockout-and-passcode",
            moves: [
                .store("token", "current-set"),
                .read("token", [.noMatch, .noMatch]), .read("token", [.noMatch, .noMatch]),
                .read("token", [.noMatch]), .read("token"), .check(), .wait(.seconds(48 * 3600)),
                .verify(.biometricsOrPasscode, [.passcode(correct: false), .cancel]), .check(),
                .verify(.biometricsOrPasscode, [.passcode(correct: true)]), .read("token", [.match]), .check(),
            ]),
        GateSequence(
            scenario: "local-authentication-context",
            moves: [
                .store("token", "any-biometry"), .verify(.biometrics, [.match], Options(context: "login")),
                .read("token", [], Options(context: "login")), .verify(.biometrics, [], Options(context: "login")),
                .act("invalidate-context", ["context": "login"]), .verify(.biometrics, [], Options(context: "login")),
                .verify(.biometrics, [], Options(allowsInteraction: false)), .act("lock"),
                .act("unlock", ["by": "biometrics"]), .wait(.seconds(20)),
                .verify(.biometrics, [], Options(reuse: 30)), .wait(.seconds(20)),
                .verify(.biometrics, [.match], Options(reuse: 30)),
                .verify(.biometrics, [.noMatch, .noMatch, .fallback]),
                .verify(.biometrics, [.noMatch, .noMatch], Options(hasFallbackButton: false)),
            ]),
        GateSequence(
            scenario: "no-answer",
            moves: [.verify(.biometrics, [.ignore]), .check(), .verify(.biometricsOrPasscode, [.ignore]), .verify()]),
        GateSequence(
            scenario: "three-failed-attempts",
            moves: [
                .verify(.biometrics, [.noMatch]), .verify(.biometrics, [.noMatch]), .verify(.biometrics, [.spoof]),
                .verify(.biometrics, [.badCapture(), .badCapture(.tooDark), .match]),
                .verify(.biometrics, [.sensorError(.hardwareUnavailable)]),
                .verify(.biometrics, [.powerButton, .match]),
                .verify(.biometrics, [.inattentiveMatch, .match]),
            ]),
    ]

    private static let states = [
        GateSequence(
            scenario: "sensor-trouble",
            moves: [
                .act("lock-out"), .check(), .verify(), .act("lock"), .act("unlock"), .verify(),
                .act("sensor", ["state": "failed"]), .check(), .verify(), .act("sensor", ["state": "absent"]), .check(),
                .verify(), .verify(.biometricsOrPasscode, [.passcode(correct: true)]),
                .act("sensor", ["state": "disabled-by-policy"]), .check(), .verify(),
                .act("sensor", ["state": "disconnected"]), .check(), .act("sensor", ["state": "not-paired"]), .check(),
                .act("sensor", ["state": "present"]), .act("require-passcode", ["because": "remote-lock"]), .check(),
                .verify(), .verify(.biometricsOrPasscode, [.passcode(correct: true)]), .verify(),
            ]),
        GateSequence(
            scenario: "face-id-permission",
            moves: [
                .act("permission", ["state": "off"]), .check(), .verify(),
                .verify(.biometricsOrPasscode, [.passcode(correct: true)]), .act("permission", ["state": "on"]),
                .verify(.biometrics, [.match]),
            ]),
        GateSequence(
            scenario: "domain-state",
            moves: [
                .verify(), .act("lock-out"), .check(), .act("passcode", ["change": "remove"]), .check(), .verify(),
                .verify(.biometricsOrPasscode), .act("passcode", ["change": "set"]), .check(),
                .act("unenrol"), .check(), .check(.biometricsOrPasscode), .verify(),
            ]),
        GateSequence(
            scenario: "re-enrolment-invalidates-key",
            moves: [
                .store("token", "current-set"), .store("hint", "any-biometry"), .read("token"),
                .act("enrol", ["template": "another"]), .read("token"), .read("token"), .read("hint"),
                .store("token", "current-set"), .read("token"), .act("unenrol"), .read("token"), .read("hint"),
            ]),
        GateSequence(
            scenario: "passcode-removed",
            moves: [
                .store("strict", "none", ["accessibility": "when-passcode-set"]), .store("code", "passcode"),
                .store("plain", "none"), .act("passcode", ["change": "remove"]), .read("strict"), .read("strict"),
                .read("code"), .store("other", "passcode"), .act("passcode", ["change": "set"]), .read("code"),
                .read("plain"),
            ]),
        GateSequence(
            scenario: "not-enrolled",
            moves: [
                .act("unenrol"), .store("token", "current-set"), .check(), .act("enrol", ["template": "left"]),
                .check(),
            ]),
        GateSequence(
            scenario: "signing-key",
            moves: [
                .store("both", "current-set-and-passcode"), .read("both", [.match, .passcode(correct: true)]),
                .read("both", [.match, .cancel]), .store("either", "current-set-or-passcode"),
                .read("either", [.match]), .act("enrol", ["template": "new"]), .read("both"),
                .read("either", [.passcode(correct: true)]),
            ]),
    ]

    private static let lives = [
        GateSequence(
            scenario: "reboot-needs-passcode",
            moves: [
                .store("session", "current-set"), .store("push", "none", ["accessibility": "after-first-unlock"]),
                .store("note", "none"), .act("reboot"), .act("unlock", ["by": "biometrics"]), .read("push"), .verify(),
                .act("app", ["act": "wake"]), .read("push"), .read("session"), .act("unlock", ["passcode": "wrong"]),
                .act("unlock"), .read("push"), .verify(), .act("app", ["act": "launch"]), .read("session"), .verify(),
                .act("lock"), .read("push"), .read("note"), .read("session"), .verify(),
                .act("unlock", ["by": "biometrics"]), .read("note"),
            ]),
        GateSequence(
            scenario: "second-prompt",
            moves: [
                .verify(.biometrics, [], Options(meanwhile: ("verify", [:]))),
                .verify(.biometricsOrPasscode, [], Options(meanwhile: ("verify", ["allow": "passcode"]))),
                .act("lock-out"), .verify(.biometricsOrPasscode, [], Options(meanwhile: ("verify", [:]))),
            ]),
        GateSequence(
            scenario: "background-during-prompt",
            moves: [
                .store("session", "current-set"),
                .read("session", [], Options(meanwhile: ("app", ["act": "background"]))), .read("session"), .verify(),
                .act("app", ["act": "resume"]), .read("session"),
                .verify(.biometrics, [], Options(meanwhile: ("lock", [:]))), .read("session"),
            ]),
        GateSequence(
            scenario: "app-killed-during-prompt",
            moves: [
                .store("session", "current-set"), .read("session", [], Options(meanwhile: ("app", ["act": "kill"]))),
                .read("session"), .verify(), .check(), .act("app", ["act": "launch"]), .read("session"),
                .verify(.biometrics, [], Options(meanwhile: ("app", ["act": "kill"]))),
            ]),
        GateSequence(
            scenario: "sensor-lost-during-prompt",
            moves: [
                .verify(.biometrics, [], Options(meanwhile: ("sensor", ["state": "absent"]))),
                .act("sensor", ["state": "present"]),
                .verify(.biometrics, [], Options(meanwhile: ("sensor", ["state": "failed"]))), .verify(),
            ]),
        GateSequence(
            scenario: "stolen-phone",
            moves: [
                .act("theft-protection", ["state": "on"]), .act("place", ["place": "away"]),
                .verify(.biometricsOrPasscode, [.noMatch, .noMatch, .passcode(correct: true)]),
                .act("passcode", ["change": "set"]), .wait(.seconds(3600)), .act("passcode", ["change": "set"]),
                .act("enrol", ["template": "another"]),
            ]),
        GateSequence(
            scenario: "reinstalled-app",
            moves: [
                .store("session", "none"), .act("app", ["act": "reinstall"]), .read("session"),
                .act("app", ["act": "launch"]), .read("session"), .delete("session"), .read("session"),
            ]),
    ]
}
