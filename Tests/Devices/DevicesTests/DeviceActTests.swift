import Biometrics
import Faults
import SimulatedDevice
import Testing

@testable import DeviceActs

@Suite("Acts on a device")
struct DeviceActTests {
    @Test(
        "A word and its arguments make an act",
        arguments: [
            ("enrol", ["template": "left thumb"], DeviceAct(Enrol(template: "left thumb"))),
            ("unenrol", [:], DeviceAct(Unenrol())),
            ("unlock", [:], DeviceAct(UnlockScreen())),
            ("unlock", ["passcode": "wrong"], DeviceAct(UnlockScreen(passcode: .wrong))),
            ("sensor", ["state": "busy"], DeviceAct(ChangeSensor(state: .busy))),
            (
                "sensor", ["state": "disconnected", "modality": "face"],
                DeviceAct(ChangeSensor(state: .disconnected, modality: .face))
            ),
            (
                "enrol", ["template": "new face", "instead-of": "owner"],
                DeviceAct(Enrol(template: "new face", replaced: "owner"))
            ),
            ("lock-out", [:], DeviceAct(LockOut())),
            (
                "require-passcode", ["because": "emergency-gesture"],
                DeviceAct(RequirePasscode(reason: .emergencyGesture))
            ),
            ("power-cycle", [:], DeviceAct(CyclePower())),
            (
                "fault", ["name": "signature", "times": "2"],
                DeviceAct(ArmFault(fault: try? Fault(parsing: "signature"), times: 2))
            ),
            (
                "store-secret", ["name": "token", "access": "any-biometry"],
                DeviceAct(StoreSecret(name: "token", protection: SecureStorage.Protection(.anyBiometry)))
            ),
            (
                "store-secret",
                [
                    "name": "key", "access": "passcode", "accessibility": "when-passcode-set", "validity": "60",
                    "strength": "class2", "migrates": "yes", "value": "s", "app": "mail",
                ],
                DeviceAct(
                    StoreSecret(
                        name: "key", app: "mail", value: "s",
                        protection: SecureStorage.Protection(
                            .passcode, .whenPasscodeSet, strength: .class2, validitySeconds: 60, migrates: true)))
            ),
            ("read-secret", ["name": "key"], DeviceAct(ReadSecret(name: "key"))),
            ("delete-secret", ["name": "key", "app": "mail"], DeviceAct(DeleteSecret(name: "key", app: "mail"))),
            ("unlock", ["by": "biometrics"], DeviceAct(UnlockScreen(means: .biometrics))),
            ("lock", [:], DeviceAct(LockScreen())),
            ("reboot", [:], DeviceAct(Reboot())),
            ("passcode", ["change": "force-reset"], DeviceAct(ChangePasscode(change: .forceReset))),
            ("airplane-mode", ["state": "on"], DeviceAct(SetAirplaneMode(state: .on))),
            ("app", ["act": "clear-data", "app": "mail"], DeviceAct(ChangeApp(act: .clearData, app: "mail"))),
            ("app", ["act": "kill"], DeviceAct(ChangeApp(act: .kill))),
            ("verify", ["allow": "passcode"], DeviceAct(VerifyUser(prompt: AppPrompt(.passcode)))),
            ("forget-passkey", [:], DeviceAct(ForgetPasskey())),
            (
                "forget-passkey", ["account": "ada", "relying-party": "b.com", "where": "everywhere"],
                DeviceAct(
                    ForgetPasskey(
                        filter: PasskeyFilter(account: "ada", relyingPartyID: "b.com"), reach: .everywhere))
            ),
            ("rename-passkey", ["to": "grace"], DeviceAct(RenamePasskey(name: "grace"))),
            ("delay-passkey", ["seconds": "5"], DeviceAct(DelayPasskey(seconds: 5))),
        ] as [(String, [String: String], DeviceAct)])
    func reads(word: String, arguments: [String: String], act: DeviceAct) throws {
        let read = try DeviceAct(verb: word, arguments: arguments)
        #expect(read == act)
        #expect(try DeviceAct(verb: act.word, arguments: act.arguments) == act)
    }

    @Test(
        "The error for an unreadable act names the parameter and the expected value",
        arguments: [
            ("fly", [:], nil, "expected one of enrol, unenrol"),
            ("enrol", [:], "template", "template is missing"),
            ("enrol", ["finger": "x"], "finger", "expected template"),
            ("power-cycle", ["now": "yes"], "now", "takes none"),
            ("sensor", ["state": "melted"], "state", "expected one of present, absent"),
            ("fault", ["name": "signature", "times": "0"], "times", "from 1 to 1000"),
            ("fault", ["name": "nonsense"], "name", "nonsense"),
            ("enrol", ["template": ""], "template", "expected text"),
            ("unlock", ["by": "biometrics", "passcode": "wrong"], "passcode", "has no effect"),
            ("app", ["act": "explode"], "act", "expected one of install, launch"),
            ("store-secret", ["name": "a", "validity": "0"], "validity", "from 1 to"),
            ("airplane-mode", [:], "state", "state is missing"),
            (
                "store-secret", ["name": "a", "value": String(repeating: "y", count: 4097)], "value",
                "expected text of 1 to 4096 characters, found 4097"
            ),
        ] as [(String, [String: String], String?, String)])
    func refuses(word: String, arguments: [String: String], parameter: String?, part: String) {
        let error = #expect(throws: DeviceActError.self) { _ = try DeviceAct(verb: word, arguments: arguments) }
        #expect(error?.parameter == parameter)
        #expect(error?.description.contains(part) == true)
    }

    @Test("Every verb demands its required parameters, and every word is unique")
    func vocabulary() {
        #expect(Set(DeviceAct.vocabulary.map(\.word)).count == DeviceAct.vocabulary.count)
        for verb in DeviceAct.vocabulary where verb.parameters.contains(where: \.isRequired) {
            #expect(throws: DeviceActError.self) { _ = try DeviceAct(verb: verb.word) }
        }
    }
}
