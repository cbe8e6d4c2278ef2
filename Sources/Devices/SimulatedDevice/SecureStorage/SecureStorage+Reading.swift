internal import Biometrics
package import Causes
internal import VirtualAuthenticator

extension SecureStorage {
    package typealias Reading = Result<[UInt8], DeviceRefusal>

    /// Reads a secret; asks for a verification of the user where the item requires one.
    ///
    /// The first read of an item whose key was destroyed reports that without a prompt, as on both platforms.
    package func read(_ name: String, app: String = SecretID.defaultApp) async -> Reading {
        let reading: Reading
        do {
            reading = .success(try await open(SecretID(name, app: app)))
        } catch {
            reading = .failure(error)
        }
        let words = reading.cause == nil ? "reads" : "cannot read"
        life.note(DeviceEvent(.secretRead, "\(app) \(words) \(name)", cause: reading.cause))
        return reading
    }

    /// Checks without a prompt whether an item exists and is available, as an app that initialises a cipher, or looks up
    /// an item with interaction forbidden.
    ///
    /// - Returns: the cause of a failure; nil when the item can be read now, given the verification it requires.
    package func check(_ name: String, app: String = SecretID.defaultApp) async -> Cause? {
        do {
            _ = try await find(SecretID(name, app: app))
            return nil
        } catch {
            return error.cause
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

    private func open(_ id: SecretID) async throws(DeviceRefusal) -> [UInt8] {
        try await prompt(for: try await find(id), app: id.app)
        // The item may have been destroyed during the prompt.
        guard let secret = secret(id) else { throw .itemMissing }
        guard let key = secret.key, isAlive(secret.item, await authenticator.gate) else { throw gone(id) }
        guard let value = secret.item.open(as: id, key: key) else { throw .unableToProcess }
        return value
    }

    /// The checks before a prompt.
    private func find(_ id: SecretID) async throws(DeviceRefusal) -> Protection {
        await sweep()
        let gate = await authenticator.gate
        try life.requireRunning(id.app)
        guard let secret = secret(id) else { throw .itemMissing }
        try requireReach(app: id.app, secret.item.protection.accessibility, gate)
        guard secret.key != nil, isAlive(secret.item, gate) else { throw gone(id) }
        return secret.item.protection
    }

    /// Asks for a verification, or uses a recent one.
    private func prompt(for protection: Protection, app: String) async throws(DeviceRefusal) {
        guard let validity = protection.validitySeconds, protection.access != .none else {
            return try await AppPrompter(authenticator: authenticator, life: life).ask(protection.access, app: app)
        }
        guard wasVerified(for: protection.access, within: .seconds(validity), await authenticator.gate) else {
            throw .userNotAuthenticated
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

    private func gone(_ id: SecretID) -> DeviceRefusal {
        // An item that cannot be removed can still never be read.
        try? removeAll([id])
        return .keyInvalidated
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
    ) throws(DeviceRefusal) {
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
            throw DeviceRefusal.strengthInsufficient
        }
        guard protection.access == .currentSet || protection.access == .anyBiometry else { return }
        let sensors = gate?.sensors.filter { $0.availability != .absent } ?? []
        guard !sensors.isEmpty else { throw GateFailure.sensorAbsent }
        let strong = sensors.filter { $0.strengthClass == .class3 }
        guard !strong.isEmpty else { throw DeviceRefusal.strengthInsufficient }
        guard strong.contains(where: { !$0.templates.isEmpty }) else { throw GateFailure.notEnrolled }
    }
}
