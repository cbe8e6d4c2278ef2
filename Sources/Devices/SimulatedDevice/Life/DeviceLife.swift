internal import Biometrics
internal import Causes
internal import Faults
internal import Synchronization
internal import VirtualAuthenticator

/// A device's state outside its authenticator: screen, network, power, apps.
///
/// It follows the gate's events to know the time of the last verification and the removal of the passcode. A change is
/// stored before it takes effect.
package final class DeviceLife: Sendable {
    private let time: any TimeSource
    /// Whether the device has a screen and apps.
    private let hasScreen: Bool
    private let storage: (any SecretStorage)?
    private let record: @Sendable (AuthenticatorEvent) -> Void
    /// The armed faults of the device's system.
    let faults: PlatformFaults
    private let current: Mutex<Current>
    private let effects = Mutex<Set<DeviceSetting>>([])

    private struct Current {
        var state: LifeState
        /// The stored form.
        var written: [UInt8]?
        /// The time of the last verification by each sensor, or with nil by the passcode; a power cycle clears it.
        var verifiedAt: [BiometricModality?: Duration] = [:]
        /// The last unlock, if it was by a sensor.
        var sensorUnlock: (method: VerificationMethod, at: Duration)?
        /// The apps' contexts; a context ends with its app.
        var contexts: [SecretID: AppContext] = [:]
        /// The number of open prompts of each context.
        var asking: [SecretID: Int] = [:]
        /// The number of prompts that are being ended for an app which has already left the screen.
        var leaving = 0
        var eraseStorage: (@Sendable () throws -> Void)?
    }

    init(
        time: any TimeSource, hasScreen: Bool, storage: (any SecretStorage)?, restoring state: LifeState = LifeState(),
        written: [UInt8]? = nil, record: @escaping @Sendable (AuthenticatorEvent) -> Void
    ) {
        self.time = time
        self.hasScreen = hasScreen
        self.storage = storage
        self.record = record
        faults = PlatformFaults { fault in
            record(AuthenticatorEvent(at: time.now(), kind: .faultApplied(fault.rawValue)))
        }
        current = Mutex(Current(state: state, written: written))
    }

    /// Sets the closure that erases the apps' storage when the device erases itself.
    func whenErased(_ eraseStorage: @escaping @Sendable () throws -> Void) {
        current.withLock { $0.eraseStorage = eraseStorage }
    }

    package var state: LifeState { current.withLock { $0.state } }

    /// The stored form; nil for a state that never changed.
    var written: [UInt8]? { current.withLock { $0.written } }

    var now: Duration { time.now() }

    /// Changes and stores the state, which is unchanged if it cannot be stored.
    func change(_ edit: (inout LifeState) throws -> Void) throws {
        try current.withLock { current in
            var next = current.state
            try edit(&next)
            guard next != current.state else { return }
            let encoded = try next.encoded()
            var change = SecretChange()
            change.life = encoded
            try storage?.commit(change)
            current.state = next
            current.written = encoded
        }
    }

    /// Replaces the state by one read from storage or a snapshot.
    func replace(_ state: LifeState, written: [UInt8]?) {
        current.withLock { $0 = Current(state: state, written: written, eraseStorage: $0.eraseStorage) }
    }

    func note(_ event: DeviceEvent) { record(AuthenticatorEvent(at: now, kind: .device(event))) }

    /// Notes that a setting changed an answer.
    func note(effectOf setting: DeviceSetting) { effects.withLock { _ = $0.insert(setting) } }

    /// The settings that changed an answer since the last call.
    func takeEffects() -> Set<DeviceSetting> {
        effects.withLock { effects in
            defer { effects = [] }
            return effects
        }
    }

    /// Whether theft protection refuses the passcode in place of the sensor; an answer depends on it.
    func refusesPasscode() -> Bool {
        guard state.needsSensor else { return false }
        note(effectOf: .theftProtection)
        note(effectOf: .place)
        return true
    }
}

extension DeviceLife {
    /// Clears the times of verifications and the apps' contexts, as a loss of power does.
    func forgetVerifications() {
        current.withLock { current in
            current.verifiedAt = [:]
            current.sensorUnlock = nil
            current.contexts = [:]
        }
    }

    func context(_ id: SecretID) -> AppContext? { current.withLock { $0.contexts[id] } }

    func keep(_ context: AppContext, as id: SecretID) { current.withLock { $0.contexts[id] = context } }

    func forgetContexts(of app: String) {
        current.withLock { current in current.contexts = current.contexts.filter { $0.key.app != app } }
    }

    /// Whether a prompt of a context is open.
    func isAsking(for context: SecretID) -> Bool { current.withLock { $0.asking[context] != nil } }

    /// Ends the prompt of an app that another one has replaced on the screen.
    func leaving(_ endPrompt: () async -> Void) async {
        current.withLock { $0.leaving += 1 }
        await endPrompt()
        current.withLock { $0.leaving -= 1 }
    }

    /// Runs a prompt of an app, which its context can end.
    func asking<Value>(for context: SecretID?, _ prompt: () async -> Value) async -> Value {
        guard let context else { return await prompt() }
        current.withLock { $0.asking[context, default: 0] += 1 }
        defer {
            current.withLock { current in
                let left = (current.asking[context] ?? 1) - 1
                current.asking[context] = left > 0 ? left : nil
            }
        }
        return await prompt()
    }

    func noteUnlock(by method: VerificationMethod) {
        current.withLock { current in
            if case .biometric = method { current.sensorUnlock = (method, now) } else { current.sensorUnlock = nil }
        }
    }

    /// The sensor's match of the last unlock, if that was less than a span ago.
    func unlockBySensor(within span: Duration) -> VerificationMethod? {
        current.withLock { $0.sensorUnlock }.flatMap { unlock in
            unlock.at <= now && now - unlock.at < span ? unlock.method : nil
        }
    }

    /// Whether the user was verified within a span, by a sensor or with nil by the passcode.
    func wasVerified(byBiometric modality: BiometricModality?, within span: Duration) -> Bool {
        guard let last = current.withLock({ $0.verifiedAt[modality] }) else { return false }
        return last <= now && now - last <= span
    }

    func observe(_ event: AuthenticatorEvent) {
        guard case .gate(let move) = event.kind else { return }
        switch move.step {
        case .ended(.verified(.biometric(let modality, _))): verified(by: modality, at: event.at)
        case .ended(.verified(.deviceCredential)): verified(by: nil, at: event.at)
        case .ignored, .refused: return
        default: break
        }
        switch move.input {
        case .removeDeviceCredential, .resetDeviceCredential: keep { $0.removeLockScreen() }
        default: break
        }
        if move.erasesDevice { erase() }
        if hasScreen, case .ended(.failed) = move.step, case .present(let act) = move.input { carryOut(act) }
    }

    /// Does what an act at a prompt does to the device besides the prompt's end.
    private func carryOut(_ act: GateAct) {
        guard !state.isLocked, current.withLock({ $0.leaving == 0 }) else { return }
        switch act {
        case .powerButton:
            keep { $0.lockScreen(at: now) }
            note(.screenLocked)
        case .leaveScreen:
            guard let app = state.foregroundApp else { return }
            keep { _ = $0.leaveScreen(at: now) }
            note(DeviceEvent(.appBackground, "\(app): \(AppAct.background.rawValue)"))
        default: return
        }
    }

    /// Stops the apps and erases their storage after the device has erased itself.
    private func erase() {
        keep { state in
            state.removeLockScreen()
            for name in state.apps.keys { state.apps[name]?.stop() }
        }
        let eraseStorage = current.withLock { current in
            current.verifiedAt = [:]
            return current.eraseStorage
        }
        do {
            try eraseStorage?()
            note(DeviceEvent(.erased, "the device erases itself after too many wrong passcodes"))
        } catch {
            note(
                DeviceEvent(
                    .storage, "the apps' storage cannot be erased", cause: .storageFailed, explanation: "\(error)")
            )
        }
    }

    private func verified(by modality: BiometricModality?, at time: Duration) {
        current.withLock { $0.verifiedAt[modality] = time }
        if modality == nil, !state.hasBeenUnlocked { keep { $0.hasBeenUnlocked = true } }
    }

    /// Applies a change that has already happened, also when it cannot be stored.
    private func keep(_ edit: (inout LifeState) -> Void) {
        do {
            try change(edit)
        } catch {
            current.withLock { edit(&$0.state) }
            note(DeviceEvent(.storage, "a change cannot be written", cause: .storageFailed, explanation: "\(error)"))
        }
    }
}

/// An app's LAContext.
struct AppContext: Sendable {
    /// The method of its last verification; nil once it is invalidated.
    var method: VerificationMethod?
    /// `evaluatedPolicyDomainState` at its last verification by a sensor.
    var domainState: [UInt8]?
}

extension LifeState {
    /// Destroys keys bound to the secure lock screen; the screen then needs no passcode.
    fileprivate mutating func removeLockScreen() {
        lockScreenGeneration &+= 1
        hasBeenUnlocked = true
    }
}

extension DeviceLife {
    func requireInstalled(_ app: String) throws(DeviceRefusal) {
        guard state.apps[app]?.isInstalled == true else { throw .notInstalled(app) }
    }

    func requireRunning(_ app: String) throws(DeviceRefusal) {
        guard !state.isReplaced else { throw .deviceReplaced }
        guard let place = state.apps[app], place.isRunning else { throw .appNotRunning }
    }

    func requireUnlocked() throws(DeviceRefusal) {
        let state = state
        guard !state.isLocked else { throw state.hasBeenUnlocked ? .deviceLocked : .beforeFirstUnlock }
    }

    /// Verifies that an app can show a prompt.
    func requireOnScreen(_ app: String) throws(DeviceRefusal) {
        try requireRunning(app)
        try requireUnlocked()
        guard state.apps[app]?.isInForeground == true else { throw .appInBackground }
    }
}
