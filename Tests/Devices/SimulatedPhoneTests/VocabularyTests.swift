import Biometrics
import DeviceActs
import SimulatedDevice
import Testing
import VirtualAuthenticator

@testable import SimulatedPhone

@Suite("The vocabulary of a phone")
struct VocabularyTests {
    /// The acts of scenarios as the user's acts in Swift.
    static let acts: [PersonAct] =
        [
            .touch, .match, .inattentiveMatch, .noMatch, .spoof, .badCapture(), .confirm, .declineConfirmation,
            .passcode(correct: true), .passcode(correct: false), .fallback, .cancel, .systemCancel, .appCancel,
            .powerButton, .leaveScreen, .tryAgain, .challengePhrase, .giveUp, .ignore,
        ]
        + AcquiredHint.allCases.filter { $0 != .partial }.map { .badCapture($0) }
        + SensorError.allCases.map { .sensorError($0) }

    @Test("has every act of scenarios that a phone's prompts can take")
    func personActs() {
        // A long touch and samples of an enrolment belong to security keys.
        let ofKeys = UserAct.vocabulary.map(\.word).filter { $0 == "short-touch" || $0.hasPrefix("sample:") }
        #expect(Set(Self.acts.map(\.description)).union(ofKeys) == Set(UserAct.vocabulary.map(\.word)))
        #expect(Self.acts.count + ofKeys.count == UserAct.vocabulary.count)
        #expect(PersonAct.choose(2).description == "choose:2")
        #expect(PersonAct.match(on: .fingerprint).description == "match:fingerprint")
        #expect(PersonAct.noMatch(on: .face).description == "no-match:face")
    }

    /// The Swift form of each verb of scenarios; nil for a verb whose place a shape takes.
    static let verbs: [String: (@Sendable (Phone) throws -> Void)?] = [
        "enrol": { try $0.enrol("a") }, "unenrol": { try $0.unenrol() }, "sensor": { try $0.setSensor(.failed) },
        "lock-out": { try $0.lockOut() }, "require-passcode": { try $0.requirePasscode() }, "lock": { try $0.lock() },
        "unlock": {
            try $0.lock()
            try $0.unlock()
        },
        "passcode": { try $0.removePasscode() }, "reboot": { try $0.reboot() },
        "airplane-mode": { try $0.setAirplaneMode(true) }, "power-cycle": { try $0.cyclePower() },
        "fault": { try $0.arm("key-lost-at-reboot") },
        "no-faults": {
            try $0.arm("key-lost-at-reboot", times: 1)
            try $0.clearFaults()
        },
        "forget-passkey": { try $0.forgetPasskeys() }, "rename-passkey": { try $0.renamePasskey(to: "a") },
        "delay-passkey": { try $0.delayPasskeys(by: 2 * .minutes) },
        "export-passkeys": { _ = try $0.exportPasskeys() }, "import-passkeys": { try $0.importPasskeys("{}") },
        "app": { try $0.background() }, "permission": { try $0.setFaceIDPermission(false) },
        "theft-protection": { try $0.setTheftProtection(true) }, "place": { try $0.move(to: .away) },
        // LAContext and its kin.
        "verify": nil, "can-verify": nil, "is-locked-out": nil, "domain-state": nil, "invalidate-context": nil,
        // The Keychain.
        "store-secret": nil, "read-secret": nil, "check-secret": nil, "delete-secret": nil, "make-key": nil,
        "sign": nil,
    ]

    @Test("has every act on a device")
    func deviceActs() throws {
        #expect(Set(Self.verbs.keys) == Set(DeviceAct.vocabulary.map(\.word)))
        // A phone without passkeys refuses these.
        let refused: Set = ["forget-passkey", "rename-passkey", "export-passkeys", "import-passkeys"]
        for case (let verb, let act?) in Self.verbs {
            let phone = try Phone("iphone-face-id")
            guard refused.contains(verb) else {
                try act(phone)
                continue
            }
            #expect(throws: PhoneRefusal.self, "\(verb)") { try act(phone) }
        }
    }
}
