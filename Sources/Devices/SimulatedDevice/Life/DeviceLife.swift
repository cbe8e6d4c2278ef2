internal import Biometrics
internal import Causes
internal import Synchronization
internal import VirtualAuthenticator

/// The life of a device around its authenticator: screen, network, power, apps.
///
/// It hears everything that happens at the gate, so that it knows when the person was last verified and when the
/// passcode went. A change is on the disk before it counts.
package final class DeviceLife: Sendable {
    private let time: any TimeSource
    private let storage: (any SecretStorage)?
    private let record: @Sendable (AuthenticatorEvent) -> Void
    private let current: Mutex<Current>

    private struct Current {
        var state: LifeState
        /// What storage holds.
        var written: [UInt8]?
        /// When the person was last verified, by a sensor or with nil by the passcode; goes with the power.
        var verifiedAt: [BiometricModality?: Duration] = [:]
        /// Erases what apps keep on the device.
        var eraseStorage: (@Sendable () throws -> Void)?
    }

    init(
        time: any TimeSource, storage: (any SecretStorage)?, restoring state: LifeState = LifeState(),
        written: [UInt8]? = nil, record: @escaping @Sendable (AuthenticatorEvent) -> Void
    ) {
        self.time = time
        self.storage = storage
        self.record = record
        current = Mutex(Current(state: state, written: written))
    }

    /// Says how to erase what apps keep, for when the device erases itself.
    func whenErased(_ eraseStorage: @escaping @Sendable () throws -> Void) {
        current.withLock { $0.eraseStorage = eraseStorage }
    }

    /// How it is now.
    package var state: LifeState { current.withLock { $0.state } }

    /// What storage holds; nil for a life that never changed.
    var written: [UInt8]? { current.withLock { $0.written } }

    var now: Duration { time.now() }

    /// Changes the state, and keeps the change.
    ///
    /// - Throws: what the device's storage threw, and then nothing changed.
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

    /// Takes over what was read from storage, or a snapshot, as it stands there.
    func replace(_ state: LifeState, written: [UInt8]?) {
        current.withLock { $0 = Current(state: state, written: written, eraseStorage: $0.eraseStorage) }
    }

    /// Writes an event to the device's log.
    func note(_ event: DeviceEvent) {
        record(AuthenticatorEvent(at: now, kind: .device(event)))
    }
}

extension DeviceLife {
    /// What the power took with it.
    func forgetVerifications() { current.withLock { $0.verifiedAt = [:] } }

    /// Whether the person was verified a short time ago, by a sensor or with nil by the passcode.
    func wasVerified(byBiometric modality: BiometricModality?, within span: Duration) -> Bool {
        guard let last = current.withLock({ $0.verifiedAt[modality] }) else { return false }
        return last <= now && now - last <= span
    }

    /// Hears what happens in the authenticator.
    func hear(_ event: AuthenticatorEvent) {
        guard case .gate(let move) = event.kind else { return }
        switch move.step {
        case .ended(.verified(.biometric(let modality, _))): verified(by: modality, at: event.at)
        case .ended(.verified(.deviceCredential)): verified(by: nil, at: event.at)
        case .ignored, .refused: return
        default: break
        }
        if case .removeDeviceCredential = move.input { keep { $0.loseLockScreen() } }
        if move.erasesDevice { erase() }
    }

    /// The device has erased itself: what its apps kept is gone, and so are they.
    private func erase() {
        keep { state in
            state.loseLockScreen()
            for name in state.apps.keys { state.apps[name]?.stop() }
        }
        let eraseStorage = current.withLock { current in
            current.verifiedAt = [:]
            return current.eraseStorage
        }
        do {
            try eraseStorage?()
            note(DeviceEvent(.erased, "too many wrong passcodes: the device has erased itself"))
        } catch {
            note(
                DeviceEvent(.storage, "what apps keep cannot be erased", cause: .storageFailed, explanation: "\(error)")
            )
        }
    }

    private func verified(by modality: BiometricModality?, at time: Duration) {
        current.withLock { $0.verifiedAt[modality] = time }
        if modality == nil, !state.hasBeenUnlocked { keep { $0.hasBeenUnlocked = true } }
    }

    /// Keeps a change that has happened whether it can be written or not.
    private func keep(_ edit: (inout LifeState) -> Void) {
        do {
            try change(edit)
        } catch {
            current.withLock { edit(&$0.state) }
            note(
                DeviceEvent(.storage, "what happened cannot be written", cause: .storageFailed, explanation: "\(error)")
            )
        }
    }
}

extension LifeState {
    /// What was bound to the secure lock screen is dead, and nothing is left that could be asked for.
    fileprivate mutating func loseLockScreen() {
        lockScreenGeneration &+= 1
        hasBeenUnlocked = true
    }
}

extension DeviceLife {
    /// Makes sure that an app is there.
    func requireRunning(_ app: String) throws(StorageRefusal) {
        let state = state
        guard !state.isReplaced else { throw .deviceReplaced }
        guard let place = state.apps[app], place.isInstalled, place.isRunning else { throw .appNotRunning }
    }

    /// Makes sure that an app could show a prompt.
    func requireOnScreen(_ app: String) throws(StorageRefusal) {
        try requireRunning(app)
        let state = state
        guard !state.isLocked else { throw state.hasBeenUnlocked ? .deviceLocked : .beforeFirstUnlock }
        guard state.apps[app]?.isInForeground == true else { throw .appInBackground }
    }
}
