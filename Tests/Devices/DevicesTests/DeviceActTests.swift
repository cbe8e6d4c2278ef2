import Biometrics
import DeviceActs
import SimulatedDevice
import Testing

@Suite("What is done to a device")
struct DeviceActTests {
    @Test(
        "A word and its arguments make an act",
        arguments: [
            ("enrol", ["template": "left thumb"], DeviceAct.enrol(name: "left thumb")),
            ("unenrol", [:], .unenrol(name: nil)),
            ("unlock", [:], .unlock(correctly: true)),
            ("unlock", ["passcode": "wrong"], .unlock(correctly: false)),
            ("sensor", ["state": "busy"], .sensor(.busy)),
            ("sensor", ["state": "disconnected", "modality": "face"], .sensor(.disconnected, of: .face)),
            ("enrol", ["template": "new face", "instead-of": "owner"], .replace(name: "owner", with: "new face")),
            ("lock-out", [:], .lockOut(nil)),
            ("require-passcode", ["because": "emergencyGesture"], .requireCredential(.emergencyGesture)),
            ("power-cycle", [:], .powerCycle),
            ("fault", ["name": "signature", "times": "2"], .fault(name: "signature", times: 2)),
            (
                "store-secret", ["name": "token", "access": "any-biometry"],
                .storeSecret("token", SecureStorage.Protection(.anyBiometry))
            ),
            (
                "store-secret",
                [
                    "name": "key", "access": "passcode", "accessibility": "when-passcode-set", "validity": "60",
                    "strength": "class2", "migrates": "yes", "value": "s", "app": "mail",
                ],
                .storeSecret(
                    SecretID("key", app: "mail"), value: "s",
                    SecureStorage.Protection(
                        .passcode, .whenPasscodeSet, strength: .class2, validitySeconds: 60, migrates: true))
            ),
            ("read-secret", ["name": "key"], .readSecret("key")),
            ("delete-secret", ["name": "key", "app": "mail"], .deleteSecret(SecretID("key", app: "mail"))),
            ("unlock", ["by": "biometrics"], .unlockByBiometrics),
            ("lock", [:], .lock),
            ("reboot", [:], .reboot),
            ("passcode", ["change": "force-reset"], .passcode(.forceReset)),
            ("airplane-mode", ["state": "on"], .airplaneMode(isOn: true)),
            ("app", ["act": "clear-data", "app": "mail"], .app(.clearData, app: "mail")),
            ("app", ["act": "kill"], .app(.kill, app: "app")),
            ("verify", ["allow": "passcode"], .verify(.passcode, app: "app")),
            ("forget-credentials", [:], .forgetCredentials()),
            (
                "forget-credentials", ["account": "ada", "relying-party": "b.com", "where": "everywhere"],
                .forgetCredentials(PasskeyFilter(account: "ada", relyingPartyID: "b.com"), .everywhere)
            ),
            ("rename-passkey", ["to": "grace"], .renamePasskey(PasskeyFilter(), to: "grace")),
            ("passkey-delay", ["seconds": "5"], .passkeyDelay(seconds: 5)),
        ])
    func reads(word: String, arguments: [String: String], act: DeviceAct) throws {
        let read = try DeviceAct(verb: word, arguments: arguments)
        #expect(read == act)
    }

    @Test(
        "What cannot be read names the parameter and what may stand there",
        arguments: [
            ("fly", [:], nil, "expected one of enrol, unenrol"),
            ("enrol", [:], "template", "template is missing"),
            ("enrol", ["finger": "x"], "finger", "expected template"),
            ("power-cycle", ["now": "yes"], "now", "takes none"),
            ("sensor", ["state": "melted"], "state", "expected one of present, absent"),
            ("fault", ["name": "signature", "times": "0"], "times", "from 1 to 1000"),
            ("fault", ["name": "nonsense"], "name", "nonsense"),
            ("enrol", ["template": ""], "template", "expected text"),
            ("unlock", ["by": "biometrics", "passcode": "wrong"], "passcode", "means nothing"),
            ("app", ["act": "explode"], "act", "expected one of install, launch"),
            ("store-secret", ["name": "a", "validity": "0"], "validity", "from 1 to"),
            ("airplane-mode", [:], "state", "state is missing"),
            (
                "store-secret", ["name": "a", "value": String(repeating: "y", count: 1001)], "value",
                "expected text of 1 to 1000 characters, found 1001"
            ),
        ] as [(String, [String: String], String?, String)])
    func refuses(word: String, arguments: [String: String], parameter: String?, part: String) {
        let error = #expect(throws: DeviceActError.self) { _ = try DeviceAct(verb: word, arguments: arguments) }
        #expect(error?.parameter == parameter)
        #expect(error?.description.contains(part) == true)
    }

    @Test("Every verb reads its required parameters and no word stands twice")
    func vocabulary() {
        #expect(Set(DeviceAct.vocabulary.map(\.word)).count == DeviceAct.vocabulary.count)
        for verb in DeviceAct.vocabulary where verb.parameters.contains(where: \.isRequired) {
            #expect(throws: DeviceActError.self) { _ = try DeviceAct(verb: verb.word) }
        }
    }
}
