internal import Biometrics
package import Causes
internal import DeviceProfiles
internal import Faults
internal import PlatformErrors
internal import VirtualAuthenticator

extension SimulatedDevice {
    package var lifeState: LifeState { life.state }

    /// The cause that keeps every app on the device from a ceremony with its relying party now; nil if there is none,
    /// and for a security key, whose client runs elsewhere.
    package func obstacleToCeremony(app: String = SecretID.defaultApp) -> Cause? {
        guard hasScreen else { return life.state.isReplaced ? .deviceReplaced : nil }
        do {
            try life.requireOnScreen(app)
        } catch {
            return error.cause
        }
        return life.state.isOnline ? nil : .offline
    }

    /// Whether the last unlock was by a sensor.
    package var wasUnlockedBySensor: Bool { life.unlockBySensor(within: .seconds(Int64.max / 4)) != nil }

    /// Whether the device has a screen, a network and apps.
    package var hasScreen: Bool { profile.authenticator.isPlatform }

    /// Checks that the device can have apps: that it is a phone or computer, and not replaced.
    package func requireScreen() throws {
        guard hasScreen else { throw DeviceRefusal.noScreen }
        guard !life.state.isReplaced else { throw DeviceRefusal.deviceReplaced }
    }

    /// The end of a prompt whose app leaves the screen: AOSP reports the user's cancellation
    /// (`AuthController.cancelIfOwnerIsNotInForeground`), Apple the system's.
    var leavingTheScreen: GateAct { profile.platform == .android ? .leaveScreen : .cancelBySystem }

    /// The device identifies itself for CTAPHID_WINK (CTAP 2.3 §11.2.9.2.1).
    @Sendable package func wink() { life.note(DeviceEvent(.wink, "the device winks")) }

    /// Notes that the computer whose QR code the device scanned got no answer.
    ///
    /// - Parameter explanation: a sentence for the user.
    package func note(failedScan explanation: String, cause: Cause) {
        life.note(DeviceEvent(.codeScan, "the scan of a QR code fails", cause: cause, explanation: explanation))
    }

    /// Locks the screen; an open prompt ends as ``leavingTheScreen`` says.
    package func lock() async throws {
        try requireScreen()
        try life.change { $0.lockScreen(at: life.now) }
        life.note(.screenLocked)
        await authenticator.endPrompt(leavingTheScreen)
    }

    /// Unlocks the screen with the passcode, which also clears lockouts; returns the time the foreground app was away.
    package func unlock(correctly: Bool) async throws -> Duration? {
        try requireScreen()
        let event = await enterDeviceCredential(correctly: correctly)
        switch event?.step {
        case .ended(.failed(let failure)): throw failure
        // Without a passcode a swipe unlocks the screen.
        case .refused(let refusal) where refusal != .noDeviceCredential: throw refusal
        default:
            life.noteUnlock(by: .deviceCredential)
            return try openScreen()
        }
    }

    /// Unlocks the screen with a sensor; returns the time the app now in the foreground was away.
    package func unlockByBiometrics() async throws -> Duration? {
        try requireScreen()
        switch await authenticator.verifyUser(PromptOptions(allowsDeviceCredential: false, purpose: .unlock)) {
        case .verified(let method):
            life.noteUnlock(by: method)
            return try openScreen()
        case .failed(let failure)?: throw failure
        case .refused(let refusal)?: throw refusal
        case nil: throw GateFailure.systemCancelled
        }
    }

    private func openScreen() throws -> Duration? {
        guard hasScreen, life.state.isLocked else { return nil }
        var away: Duration?
        try life.change { state in
            state.isLocked = false
            state.hasBeenUnlocked = true
            guard let app = state.foregroundApp else { return }
            away = state.apps[app]?.leftAt.map { life.now - $0 }
            state.apps[app]?.leftAt = nil
        }
        life.note(DeviceEvent(.screenUnlock, "the screen is unlocked"))
        return away
    }

    /// Restarts the device: apps are stopped, and a device with a passcode can only be unlocked with it.
    ///
    /// - Parameter powerCycle: cycles the power through the device's transport; default: the authenticator's own.
    package func reboot(powerCycle: (@Sendable () async -> Void)? = nil) async throws {
        try requireScreen()
        let isSecure = await authenticator.gate?.deviceCredential != nil
        try life.change { state in
            state.isLocked = true
            state.hasBeenUnlocked = !isSecure
            for name in state.apps.keys { state.apps[name]?.stop() }
        }
        life.forgetVerifications()
        await authenticator.endPrompt(.cancelBySystem)
        if let powerCycle { await powerCycle() } else { await authenticator.powerCycle() }
        life.note(DeviceEvent(.reboot, "the device starts again, locked"))
        if life.faults.strikes(.keyLostAtReboot) { secureStorage.loseKeys() }
    }

    package func setAirplaneMode(_ isOn: Bool) throws {
        try requireScreen()
        try life.change { $0.isOnline = !isOn }
        life.note(
            DeviceEvent(
                isOn ? .networkOff : .networkOn,
                isOn ? "airplane mode is on: no network" : "airplane mode is off: the network is back"))
    }

    package func changePasscode(_ change: PasscodeChange) async throws {
        guard !life.state.isReplaced else { throw DeviceRefusal.deviceReplaced }
        let kind = profile.deviceCredential ?? .passcode
        guard let gate = await authenticator.gate else { throw GateFailure.noDeviceCredential }
        if change != .set, gate.deviceCredential == nil { throw GateFailure.noDeviceCredential }
        try await requireSecurityDelay()
        try await authenticator.changeGate { gate, now in
            switch change {
            case .set: gate.setDeviceCredential(kind, at: now)
            case .remove: gate.removeDeviceCredential(at: now)
            case .forceReset: gate.resetDeviceCredential(kind, at: now)
            }
        }
        await secureStorage.destroyInvalidatedKeys()
    }

    /// Sets the time for which new passkeys stay hidden from sign-in on this device, in whole seconds.
    package func setPasskeyDelay(seconds: Int) async throws {
        try life.change { $0.passkeyDelaySeconds = seconds }
        await authenticator.setArrivalDelay(.seconds(seconds))
    }
}

extension LifeState {
    mutating func lockScreen(at now: Duration) {
        if let app = foregroundApp { apps[app]?.leftAt = now }
        isLocked = true
    }
}

extension DeviceEvent {
    static let screenLocked = DeviceEvent(.screenLock, "the screen is locked")
}

/// A change of the passcode.
package enum PasscodeChange: String, Sendable, CaseIterable {
    case set
    /// The user removes it: the device unlocks with a swipe.
    case remove
    /// An administrator replaces it without knowing it.
    case forceReset = "force-reset"
}
