internal import SimulatedDevice

struct LockScreen: PlainAct, ScreenAct, StateAct {
    static let form = Form("lock", "locks the screen; an open prompt ends")

    var words: String { "the screen is locked" }

    func perform(on device: SimulatedDevice) async throws { try await device.lock() }
}

struct UnlockScreen: ScreenAct {
    static let form = Form(
        "unlock", "unlocks the screen; the passcode also clears lockouts",
        .optional("passcode", \.passcode, "the passcode entered; default: correct"),
        .optional("by", \.means, "the means of unlocking; default: passcode"))

    enum Entry: String, CaseIterable, ActArgument { case correct, wrong }
    enum Means: String, CaseIterable, ActArgument { case passcode, biometrics }

    var passcode: Entry?
    var means: Means?

    func validate() throws(DeviceActError) {
        guard passcode == nil || means != .biometrics else {
            throw DeviceActError(parameter: "passcode", "passcode has no effect with by=biometrics; remove one of them")
        }
    }

    var words: String {
        guard means != .biometrics else { return "unlocks with the sensor" }
        return passcode == .wrong ? "enters a wrong passcode" : "enters the passcode"
    }

    func perform(on device: SimulatedDevice, powerCycle: PowerCycle?) async throws -> DeviceActResult {
        // The unlocked screen has no field for the passcode, and the sensor waits for no face or finger.
        guard device.lifeState.isLocked else { return .idle("the screen is not locked; lock it first") }
        guard means != .biometrics else { return .away(try await device.unlockByBiometrics()) }
        return .away(try await device.unlock(correctly: passcode != .wrong))
    }
}

struct ChangePasscode: PlainAct {
    static let form = Form(
        "passcode", "sets, removes or resets the device's passcode",
        .required("change", \.change, "the change; force-reset is an administrator's reset"))

    static let canEndVerification = true
    static let isPreparation = true

    var change = PasscodeChange.set

    var words: String {
        switch change {
        case .set: "sets a passcode"
        case .remove: "removes the passcode"
        case .forceReset: "an administrator resets the passcode"
        }
    }

    func perform(on device: SimulatedDevice) async throws { try await device.changePasscode(change) }
}
