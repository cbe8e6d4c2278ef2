internal import SimulatedDevice

struct ForgetPasskey: PlainAct {
    static let form = Form(
        "forget-passkey", "deletes passkeys on the device without telling the server",
        .account(\.filter.account), .relyingParty(\.filter.relyingPartyID),
        .optional("where", \.reach, "here: on this device; everywhere: on all devices of its account; default: here"))

    static let isPreparation = true

    var filter = PasskeyFilter()
    var reach = DeletionReach.here

    var words: String {
        let passkeys = filter.isEverything && reach == .here ? "its passkeys are" : "\(filter.words) is"
        return passkeys + " deleted " + (reach == .here ? "on the device only" : "everywhere it is synced")
    }

    func perform(on device: SimulatedDevice) async throws { try await device.forgetPasskeys(filter, reach) }
}

struct RenamePasskey: DeclaredAct {
    static let form = Form(
        "rename-passkey", "changes the account name of a passkey on the device",
        .required("to", \.name, "the new account name"),
        .account(\.filter.account), .relyingParty(\.filter.relyingPartyID))

    static let isPreparation = true

    var name = ""
    var filter = PasskeyFilter()

    var words: String { "\(filter.words) is renamed \(name)" }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        try await device.renamePasskey(filter, to: name) ? .done : .idle("the account already has the name \(name)")
    }
}

struct DelayPasskey: PlainAct, StateAct {
    static let form = Form(
        "delay-passkey", "hides new passkeys from sign-in for a time, as some providers do",
        .required("seconds", \.seconds, of: .number(0...86_400), "the time in seconds; 0: none"))

    var seconds = 0

    var setting: DeviceSettingChange? { DeviceSettingChange(setting: .passkeyDelay, isUsual: seconds == 0) }

    var words: String { seconds == 0 ? "new passkeys appear at once" : "new passkeys appear after \(seconds) s" }

    func perform(on device: SimulatedDevice) async throws { try await device.setPasskeyDelay(seconds: seconds) }
}

extension ActParameter {
    static func account(_ property: any WritableKeyPath<Act, String?> & Sendable) -> Self {
        .optional("account", property, "only passkeys of this account name")
    }

    static func relyingParty(_ property: any WritableKeyPath<Act, String?> & Sendable) -> Self {
        .optional("relying-party", property, "only passkeys of this RP ID")
    }
}
