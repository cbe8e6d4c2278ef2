internal import Biometrics
internal import COSE
package import Causes
internal import Faults
internal import PlatformErrors
internal import VirtualAuthenticator

/// The way an app uses an item.
package struct SecretUse: Hashable, Sendable {
    /// The name of the app's LAContext (`kSecUseAuthenticationContext`); nil for none.
    package var context: String?
    /// The app's password for the item; nil for none.
    package var password: String?
    /// Whether a prompt may be shown: false for `interactionNotAllowed`.
    package var allowsInteraction = true
    /// The seconds after an unlock with the sensor in which a biometric constraint asks for no prompt.
    package var reuseSeconds = 0

    package init() {}
}

extension SecureStorage {
    package typealias Reading = Result<[UInt8], DeviceRefusal>

    /// Reads a secret; asks for a verification of the user where the item requires one.
    ///
    /// A read of an item whose key was destroyed reports that without a prompt; on Android every read does, until the
    /// item is deleted or replaced.
    package func read(
        _ name: String, app: String = SecretID.defaultApp, with use: SecretUse = SecretUse()
    ) async -> Reading {
        await opening(name, app, use, isKey: false, "reads", "cannot read")
    }

    /// Signs data with a key, in DER for ES256; asks for a verification of the user where the key requires one.
    package func sign(
        _ data: [UInt8], with name: String, app: String = SecretID.defaultApp, _ use: SecretUse = SecretUse()
    ) async -> Reading {
        let reading = await opening(name, app, use, isKey: true, "signs with", "cannot sign with")
        guard case .success(let secret) = reading else { return reading }
        let algorithm = protection(of: SecretID(name, app: app))?.algorithm ?? .es256
        do {
            let key = try COSE.PrivateKey(algorithm: algorithm.algorithm, rawRepresentation: secret)
            return .success(try key.sign(data, mode: authenticator.environment.signing))
        } catch {
            return .failure(.unableToProcess)
        }
    }

    private func opening(
        _ name: String, _ app: String, _ use: SecretUse, isKey: Bool, _ done: String, _ failed: String
    ) async -> Reading {
        let reading: Reading
        do {
            reading = .success(try await open(SecretID(name, app: app), use, isKey: isKey))
        } catch {
            reading = .failure(error)
        }
        let words = reading.cause == nil ? done : failed
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
    func destroyInvalidatedKeys() async {
        let gate = await authenticator.gate
        destroyKeys { !isValid($0, gate) }
    }

    /// Destroys the keys that need a verification, as a faulty system does at a restart.
    func loseKeys() { destroyKeys { $0.protection.access != .none } }

    private func destroyKeys(where isLost: (SealedItem) -> Bool) {
        let invalidated = all.filter { $0.value.key != nil && isLost($0.value.item) }.map(\.key).sorted()
        guard !invalidated.isEmpty else { return }
        do {
            try destroyKeys(invalidated)
        } catch {
            // A key that cannot be erased still opens nothing: reading checks the events again.
            return life.note(
                DeviceEvent(.keyDestroy, "keys cannot be destroyed", cause: .storageFailed, explanation: "\(error)"))
        }
        for id in invalidated { life.note(DeviceEvent(.keyDestroy, "the key of \(id) is destroyed")) }
    }

    private func open(_ id: SecretID, _ use: SecretUse, isKey: Bool) async throws(DeviceRefusal) -> [UInt8] {
        let protection = try await find(id)
        guard (protection.isKey == true) == isKey else { throw isKey ? .notAKey : .keyNotExportable }
        try await prompt(for: protection, id, use)
        if protection.access != .none, life.faults.strikes(.keyStaysClosed) { throw .userNotAuthenticated }
        // The item may have been destroyed during the prompt.
        guard let secret = secret(id) else { throw .itemMissing }
        guard let key = secret.key, isValid(secret.item, await authenticator.gate) else { throw removeInvalidated(id) }
        let password = protection.hasPassword == true ? use.password ?? "" : nil
        guard let value = secret.item.open(as: id, key: key, password: password) else {
            throw password == nil ? .unableToProcess : .applicationPasswordWrong
        }
        return value
    }

    /// The checks before a prompt.
    private func find(_ id: SecretID) async throws(DeviceRefusal) -> Protection {
        await destroyInvalidatedKeys()
        let gate = await authenticator.gate
        try life.requireRunning(id.app)
        guard let secret = secret(id) else { throw .itemMissing }
        try requireReach(app: id.app, secret.item.protection.accessibility, gate)
        guard secret.key != nil, isValid(secret.item, gate) else { throw removeInvalidated(id) }
        return secret.item.protection
    }

    /// Asks for a verification, or uses a recent one.
    func prompt(for protection: Protection, _ id: SecretID, _ use: SecretUse) async throws(DeviceRefusal) {
        guard let validity = protection.validitySeconds, protection.access != .none else {
            let prompter = AppPrompter(authenticator: authenticator, life: life, platform: platform)
            for wanted in await prompts(for: protection.access, id) {
                var prompt = AppPrompt(wanted)
                prompt.context = use.context
                prompt.allowsInteraction = use.allowsInteraction
                prompt.reuseSeconds = use.reuseSeconds
                _ = try await prompter.ask(prompt, app: id.app, forKey: true)
            }
            return
        }
        let wasVerified = wasVerified(for: protection.access, within: .seconds(validity), await authenticator.gate)
        guard wasVerified else { throw .userNotAuthenticated }
    }

    /// The prompts that open an item; after a change of the templates, only the passcode opens one that also admits it.
    private func prompts(for access: Access, _ id: SecretID) async -> [AppVerification] {
        guard access == .currentSetOrPasscode, let item = secret(id)?.item else { return access.prompts }
        let isCurrent = EnrolmentBinding(await authenticator.gate)?.generations == item.binding
        return isCurrent ? access.prompts : [.passcode]
    }

    private func wasVerified(for access: Access, within span: Duration, _ gate: UserVerificationGate?) -> Bool {
        if access.admitsPasscode, life.wasVerified(byBiometric: nil, within: span) { return true }
        guard access.admitsBiometry, let gate else { return false }
        return gate.sensors.contains { sensor in
            sensor.strengthClass == .class3 && life.wasVerified(byBiometric: sensor.modality, within: span)
        }
    }

    /// Removes an item without a valid key, where the platform does so, and returns the refusal.
    private func removeInvalidated(_ id: SecretID) -> DeviceRefusal {
        // If the item cannot be removed, it stays unreadable.
        if !rules.invalidatedKeysStay { try? removeAll([id]) }
        return .keyInvalidated
    }

    /// Whether the key of an item is valid; an unplugged or empty sensor only makes the item unreadable.
    private func isValid(_ item: SealedItem, _ gate: UserVerificationGate?) -> Bool {
        let protection = item.protection
        let isCurrent = EnrolmentBinding(gate)?.generations == item.binding
        if protection.access.isBoundToTemplates, !isCurrent { return false }
        let needsLockScreen =
            protection.accessibility == .whenPasscodeSet || (rules.lockScreenGuardsKeys && protection.access != .none)
        return !needsLockScreen || item.lockScreenGeneration == life.state.lockScreenGeneration
    }
}

extension SecureStorage {
    /// Verifies that an item of this accessibility is available to an app now.
    func requireReach(
        app: String, _ accessibility: Accessibility?, _ gate: UserVerificationGate?
    ) throws(DeviceRefusal) {
        try life.requireRunning(app)
        // Without a passcode a locked screen does not protect data.
        guard gate?.deviceCredential != nil, accessibility != .always else { return }
        guard life.state.hasBeenUnlocked else { throw .beforeFirstUnlock }
        guard accessibility == .afterFirstUnlock || !life.state.isLocked else { throw .deviceLocked }
    }

    /// Verifies that the sensor, template or passcode that protects a new item exists.
    func requireGuard(_ protection: Protection, _ gate: UserVerificationGate?) throws {
        if protection.access.isCombination || protection.hasPassword == true, !platform.isApple {
            throw DeviceRefusal.notOn(platform, "combined constraints and passwords of apps")
        }
        let isGuarded = rules.lockScreenGuardsKeys && protection.access != .none
        if protection.accessibility == .whenPasscodeSet || protection.access.admitsPasscode || isGuarded {
            guard gate?.deviceCredential != nil else { throw GateFailure.noDeviceCredential }
        }
        if protection.access.admitsBiometry, protection.strength != .class3 {
            throw DeviceRefusal.strengthInsufficient
        }
        guard protection.access.prompts.contains(.biometrics) else { return }
        let sensors = gate?.sensors.filter { $0.availability != .absent } ?? []
        guard !sensors.isEmpty else { throw GateFailure.sensorAbsent }
        let strong = sensors.filter { $0.strengthClass == .class3 }
        guard !strong.isEmpty else { throw DeviceRefusal.strengthInsufficient }
        guard strong.contains(where: { !$0.templates.isEmpty }) else { throw GateFailure.notEnrolled }
    }
}
