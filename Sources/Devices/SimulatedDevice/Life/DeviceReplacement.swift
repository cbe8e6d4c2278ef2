internal import Biometrics
internal import DeviceProfiles
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// Replaces another device, as a new phone set up from the old one.
    ///
    /// Backed-up passkeys move between devices of one provider, migrating secrets between devices of one platform. Apps
    /// move and do not run. Device-bound passkeys, secrets of one device only and templates do not move: no template is
    /// enrolled on the new device. The old device is erased and refuses every later act.
    ///
    /// - Throws: ``DeviceRefusal/unsuitable(_:)`` for a security key, and for a device and itself; ``DeviceRefusal/offline``;
    ///   ``DeviceRefusal/deviceReplaced``; or the storage's error.
    package func takeOver(from old: SimulatedDevice) async throws {
        guard old !== self else { throw DeviceRefusal.unsuitable("a device cannot replace itself") }
        try requireScreen()
        try old.requireScreen()
        guard life.state.isOnline else { throw DeviceRefusal.offline }
        await old.secureStorage.destroyInvalidatedKeys()

        if SyncAccount.obstacle(to: profile, besides: old.profile) == nil {
            let backedUp = await old.passkeys(PasskeyFilter()).filter { $0.isBackupEligible && $0.isBackedUp }
            guard await authenticator.importCredentials(backedUp) else { throw DeviceRefusal.noSpace }
        }
        try await takeSecrets(from: old)
        let apps = old.life.state.apps
        try life.change { state in
            for (name, place) in apps where place.isInstalled {
                var place = place
                place.stop()
                state.apps[name] = place
            }
        }
        await removeAllTemplates()
        life.note(DeviceEvent(.takeover, "the device replaces a \(old.profile.title)"))
        try await old.erase()
    }

    /// Replaces another device, also in its accounts.
    ///
    /// - Throws: as ``takeOver(from:)``, and ``DeviceRefusal/unsuitable(_:)`` when this device cannot join one of those
    ///   accounts; nothing is then changed.
    package func takeOver(from old: SimulatedDevice, in accounts: [SyncAccount]) async throws {
        var joined: [SyncAccount] = []
        for account in accounts where await account.hasMember(old) {
            if let obstacle = await account.obstacle(to: self, inPlaceOf: old) {
                throw DeviceRefusal.unsuitable(obstacle)
            }
            joined.append(account)
        }
        try await takeOver(from: old)
        for account in joined where await account.leave(old) { try await account.join(self) }
    }

    private func takeSecrets(from old: SimulatedDevice) async throws {
        guard profile.platform == old.profile.platform, secureStorage.rules.itemsMigrate,
            old.secureStorage.rules.itemsMigrate
        else { return }
        for (id, secret) in old.secureStorage.all.sorted(by: { $0.key < $1.key }) {
            let protection = secret.item.protection
            guard protection.isInBackups,
                let key = secret.key, let value = secret.item.open(as: id, key: key)
            else { continue }
            try await secureStorage.put(value, as: id, protection)
        }
    }

    /// Erases a replaced device.
    private func erase() async throws {
        for credential in await authenticator.snapshot().credentials {
            await authenticator.removeCredential(credential.id)
        }
        try secureStorage.removeAll(secureStorage.ids)
        await removeAllTemplates()
        try life.change { state in
            state.isReplaced = true
            state.isLocked = true
            for name in state.apps.keys { state.apps[name]?.stop() }
        }
        life.note(DeviceEvent(.replaced, "the device is replaced and erased"))
    }
}
