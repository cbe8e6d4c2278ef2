internal import Biometrics
internal import SimulatedDevice

extension DeviceAct {
    static let lifeVerbs = [
        DeviceVerb("lock", "locks the screen; an open prompt ends") { _ in .lock },
        DeviceVerb(
            "unlock", "unlocks the screen; the passcode clears lockouts, too",
            [
                .init("passcode", of: .choice(["correct", "wrong"]), optional: true, "correct unless said otherwise"),
                .init(
                    "by", of: .choice(["passcode", "biometrics"]), optional: true,
                    "what the person unlocks with; the passcode unless said otherwise"),
            ]
        ) { arguments throws(DeviceActError) in
            guard arguments.text("by") == "biometrics" else {
                return .unlock(correctly: arguments.text("passcode") != "wrong")
            }
            guard arguments.text("passcode") == nil else {
                throw DeviceActError(parameter: "passcode", "passcode means nothing when the sensor unlocks the screen")
            }
            return .unlockByBiometrics
        },
        DeviceVerb(
            "passcode", "sets, removes or resets what unlocks the device",
            [
                .init(
                    "change", of: .choice(PasscodeChange.allCases.map(\.rawValue)),
                    "what happens to it; force-reset is an administrator's doing")
            ]
        ) { .passcode($0.choice("change", PasscodeChange.self) ?? .set) },
        DeviceVerb("reboot", "switches a phone or computer off and on; it comes back locked") { _ in .reboot },
        DeviceVerb(
            "airplane-mode", "takes the network away, or gives it back",
            [.init("state", of: .choice(["on", "off"]), "on takes it away")]
        ) { .airplaneMode(isOn: $0.text("state") == "on") },
    ]

    static let appVerbs = [
        DeviceVerb(
            "app", "something happens to an app",
            [
                .init("act", of: .choice(AppAct.allCases.map(\.rawValue)), "what happens to it"),
                .init("app", optional: true, "which app; the one that is there from the start unless said otherwise"),
            ]
        ) { .app($0.choice("act", AppAct.self) ?? .launch, app: $0.app) },
        DeviceVerb(
            "verify", "an app asks for its person by itself, with no passkey or secret",
            [
                .init(
                    "allow", of: .choice(AppVerification.allCases.map(\.rawValue)), optional: true,
                    "what it accepts; biometrics unless said otherwise"),
                app,
            ]
        ) { .verify($0.choice("allow", AppVerification.self) ?? .biometrics, app: $0.app) },
    ]

    static let passkeyVerbs = [
        DeviceVerb(
            "forget-credentials", "deletes the device's passkeys behind the server's back",
            [
                .init("account", optional: true, "only those of this account name"),
                .init("relying-party", optional: true, "only those of this RP ID"),
                .init(
                    "where", of: .choice(DeletionReach.allCases.map(\.rawValue)), optional: true,
                    "here only, unless everywhere the device's account syncs them to"),
            ]
        ) { .forgetCredentials($0.filter, $0.choice("where", DeletionReach.self) ?? .here) },
        DeviceVerb(
            "rename-passkey", "changes what the account of a passkey is called on the device",
            [
                .init("to", "the new name"),
                .init("account", optional: true, "only those of this account name"),
                .init("relying-party", optional: true, "only those of this RP ID"),
            ]
        ) { arguments throws(DeviceActError) in
            .renamePasskey(arguments.filter, to: try arguments.required("to"))
        },
        DeviceVerb(
            "passkey-delay", "new passkeys are not found at sign-in for a while, as some providers list them late",
            [.init("seconds", of: .number(0...86_400), "for how long; 0 ends it")]
        ) { .passkeyDelay(seconds: $0.number("seconds") ?? 0) },
    ]

    static let storageVerbs = [
        DeviceVerb(
            "store-secret", "an app keeps a secret in secure storage",
            [
                .init("name", "what the app calls it"),
                .init(
                    "access", of: .choice(SecureStorage.Access.allCases.map(\.rawValue)), optional: true,
                    "who may open it; current-set unless said otherwise"),
                .init(
                    "accessibility", of: .choice(SecureStorage.Accessibility.allCases.map(\.rawValue)), optional: true,
                    "when it is within reach; when-unlocked unless said otherwise"),
                .init(
                    "validity", of: .number(1...31_536_000), optional: true,
                    "seconds after a verification for which it opens without asking; left out, it asks each time"),
                .init(
                    "strength", of: .choice(["class1", "class2", "class3"]), optional: true,
                    "the weakest biometric the app accepts; keys take none but class3"),
                .init("migrates", of: .choice(["yes", "no"]), optional: true, "whether it follows to a new device"),
                .init("value", optional: true, "the secret itself; token unless said otherwise"),
                app,
            ]
        ) { arguments throws(DeviceActError) in
            .storeSecret(
                try arguments.secret, value: arguments.text("value") ?? "token", arguments.protection)
        },
        DeviceVerb(
            "read-secret", "an app reads its secret, which asks the person where the secret demands it", secret
        ) { arguments throws(DeviceActError) in .readSecret(try arguments.secret) },
        DeviceVerb(
            "check-secret", "an app looks, without a prompt, whether its secret is there and within reach", secret
        ) { arguments throws(DeviceActError) in .checkSecret(try arguments.secret) },
        DeviceVerb(
            "delete-secret", "an app deletes its secret", secret
        ) { arguments throws(DeviceActError) in .deleteSecret(try arguments.secret) },
    ]

    private static let app = DeviceVerb.Parameter("app", optional: true, "which app's it is")
    private static let secret = [DeviceVerb.Parameter("name", "what the app calls it"), app]
}

extension DeviceVerb.Arguments {
    fileprivate var app: String { text("app") ?? SecretID.defaultApp }

    fileprivate var secret: SecretID {
        get throws(DeviceActError) { SecretID(try required("name"), app: app) }
    }

    fileprivate var filter: PasskeyFilter {
        PasskeyFilter(account: text("account"), relyingPartyID: text("relying-party"))
    }

    fileprivate var protection: SecureStorage.Protection {
        let strength = text("strength").flatMap { $0.last?.wholeNumberValue }.flatMap(StrengthClass.init)
        return SecureStorage.Protection(
            choice("access", SecureStorage.Access.self) ?? .currentSet,
            choice("accessibility", SecureStorage.Accessibility.self) ?? .whenUnlocked,
            strength: strength ?? .class3, validitySeconds: number("validity"), migrates: text("migrates") == "yes")
    }
}
