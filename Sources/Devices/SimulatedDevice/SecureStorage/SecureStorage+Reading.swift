internal import Biometrics
package import Causes
internal import VirtualAuthenticator

extension SecureStorage {
    /// Reads a secret; asks for a verification of the user where the item requires one.
    ///
    /// The first read of an item whose key was destroyed reports that without a prompt, as on both platforms.
    package func read(_ name: String, app: String = SecretID.defaultApp) async -> Reading {
        let id = SecretID(name, app: app)
        let reading = await attempt(id)
        let isDone = reading.cause == nil
        life.note(
            DeviceEvent(.secretRead, "\(app) \(isDone ? "reads" : "cannot read") \(name)", cause: reading.cause))
        return reading
    }

    /// Checks without a prompt whether an item exists and is available, as an app that initialises a cipher, or looks up
    /// an item with interaction forbidden.
    ///
    /// - Returns: the cause of a failure; nil when the item can be read now, given the verification it requires.
    package func check(_ name: String, app: String = SecretID.defaultApp) async -> Cause? {
        switch await find(SecretID(name, app: app)) {
        case .failure(let reading): reading.cause
        case .success: nil
        }
    }

    /// Destroys the keys that the device's events have invalidated, so that no later snapshot contains them.
    func sweep() async {
        let gate = await authenticator.gate
        let dead = all.filter { $0.value.key != nil && !isAlive($0.value.item, gate) }.map(\.key).sorted()
        guard !dead.isEmpty else { return }
        do {
            try destroyKeys(dead)
        } catch {
            // A key that cannot be erased still opens nothing: reading checks the events again.
            return life.note(
                DeviceEvent(.keyDestroy, "keys cannot be destroyed", cause: .storageFailed, explanation: "\(error)"))
        }
        for id in dead { life.note(DeviceEvent(.keyDestroy, "the key of \(id) is destroyed")) }
    }

    private func attempt(_ id: SecretID) async -> Reading {
        let protection: Protection
        switch await find(id) {
        case .failure(let reading): return reading
        case .success(let found): protection = found
        }
        if let refusal = await prompt(for: protection, app: id.app) { return refusal }
        // The item may have been destroyed during the prompt.
        guard let secret = secret(id) else { return .missing }
        guard let key = secret.key, isAlive(secret.item, await authenticator.gate) else { return gone(id) }
        return secret.item.open(as: id, key: key).map { .value($0) } ?? .unavailable(.unableToProcess)
    }

    private enum Finding {
        case success(Protection)
        case failure(Reading)
    }

    /// The checks before a prompt.
    private func find(_ id: SecretID) async -> Finding {
        await sweep()
        let gate = await authenticator.gate
        do {
            try life.requireRunning(id.app)
        } catch {
            return .failure(.unavailable(error))
        }
        guard let secret = secret(id) else { return .failure(.missing) }
        do {
            try requireReach(app: id.app, secret.item.protection.accessibility, gate)
        } catch {
            return .failure(.unavailable(error))
        }
        guard secret.key != nil, isAlive(secret.item, gate) else { return .failure(gone(id)) }
        return .success(secret.item.protection)
    }

    /// Asks for a verification, or uses a recent one; nil when the item may be opened.
    private func prompt(for protection: Protection, app: String) async -> Reading? {
        guard protection.access != .none else { return nil }
        if let validity = protection.validitySeconds {
            return wasVerified(for: protection.access, within: .seconds(validity), await authenticator.gate)
                ? nil : .unavailable(.userNotAuthenticated)
        }
        switch await AppPrompter(authenticator: authenticator, life: life).ask(protection.access, app: app) {
        case .verified: return nil
        case .failed(let result): return .refused(result)
        case .unavailable(let refusal): return .unavailable(refusal)
        case .withdrawn: return .withdrawn
        }
    }

    private func wasVerified(
        for access: Access, within span: Duration, _ gate: UserVerificationGate?
    ) -> Bool {
        if access.admitsPasscode, life.wasVerified(byBiometric: nil, within: span) { return true }
        guard access.admitsBiometry, let gate else { return false }
        return gate.sensors.contains { sensor in
            sensor.strengthClass == .class3 && life.wasVerified(byBiometric: sensor.modality, within: span)
        }
    }

    private func gone(_ id: SecretID) -> Reading {
        // An item that cannot be removed can still never be read.
        try? removeAll([id])
        return .invalidated
    }

    /// Whether the key of an item is valid; a sensor that is unplugged or empty only keeps the item closed.
    private func isAlive(_ item: SealedItem, _ gate: UserVerificationGate?) -> Bool {
        let protection = item.protection
        if protection.access == .currentSet, EnrolmentBinding(gate)?.generations != item.binding { return false }
        let needsLockScreen =
            protection.accessibility == .whenPasscodeSet || (rules.lockScreenGuardsKeys && protection.access != .none)
        return !needsLockScreen || item.lockScreenGeneration == life.state.lockScreenGeneration
    }
}

extension SecureStorage {
    /// Verifies that an item of this accessibility is available to an app now.
    func requireReach(
        app: String, _ accessibility: Accessibility, _ gate: UserVerificationGate?
    ) throws(StorageRefusal) {
        try life.requireRunning(app)
        // Without a passcode a locked screen does not protect data.
        guard gate?.deviceCredential != nil, accessibility != .always else { return }
        guard life.state.hasBeenUnlocked else { throw .beforeFirstUnlock }
        guard accessibility == .afterFirstUnlock || !life.state.isLocked else { throw .deviceLocked }
    }

    /// Verifies that the sensor, template or passcode that protects a new item exists.
    func requireGuard(_ protection: Protection, _ gate: UserVerificationGate?) throws {
        if protection.accessibility == .whenPasscodeSet || protection.access.admitsPasscode {
            guard gate?.deviceCredential != nil else { throw GateFailure.noDeviceCredential }
        }
        if protection.access.admitsBiometry, protection.strength != .class3 {
            throw StorageRefusal.strengthInsufficient
        }
        guard protection.access == .currentSet || protection.access == .anyBiometry else { return }
        let sensors = gate?.sensors.filter { $0.availability != .absent } ?? []
        guard !sensors.isEmpty else { throw GateFailure.sensorAbsent }
        let strong = sensors.filter { $0.strengthClass == .class3 }
        guard !strong.isEmpty else { throw StorageRefusal.strengthInsufficient }
        guard strong.contains(where: { !$0.templates.isEmpty }) else { throw GateFailure.notEnrolled }
    }
}
