internal import Biometrics
internal import DeviceProfiles
internal import VirtualAuthenticator

extension SimulatedDevice {
    /// Takes another device's place, as a new phone that is set up from the old one.
    ///
    /// Passkeys that are backed up come along between devices of one provider, secrets that migrate between devices of
    /// one platform, and so do the apps, which do not run yet. Device-bound passkeys, secrets for one device only and
    /// whoever was enrolled do not: nobody is enrolled on the new device. The old one is erased, and nothing works on it
    /// any more.
    ///
    /// - Throws: ``LifeError/unsuitable(_:)`` when one of them is a security key or the two are one; ``LifeError/offline``;
    ///   ``StorageRefusal/deviceReplaced``; or what storage threw.
    package func takeOver(from old: SimulatedDevice) async throws {
        guard old !== self else { throw LifeError.unsuitable("a device cannot replace itself") }
        try requireScreen()
        try old.requireScreen()
        guard life.state.isOnline else { throw LifeError.offline }
        await old.secureStorage.sweep()

        if SyncAccount.obstacle(to: profile, besides: old.profile) == nil {
            let backedUp = await old.passkeys(PasskeyFilter()).filter { $0.isBackupEligible && $0.isBackedUp }
            guard await authenticator.importCredentials(backedUp) else { throw LifeError.noSpace }
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
        life.note(DeviceEvent(.takeover, "it takes the place of a \(old.profile.title)"))
        try await old.erase()
    }

    /// Takes another device's place, in the accounts that it belongs to, too.
    ///
    /// - Throws: as ``takeOver(from:)``, and ``LifeError/unsuitable(_:)`` where this device cannot belong to one of those
    ///   accounts; then nothing happened.
    package func takeOver(from old: SimulatedDevice, in accounts: [SyncAccount]) async throws {
        var joined: [SyncAccount] = []
        for account in accounts where await account.hasMember(old) {
            if let obstacle = await account.obstacle(to: self, inPlaceOf: old) { throw LifeError.unsuitable(obstacle) }
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
            // What a person or a passcode guards was never in a backup.
            guard protection.migrates, protection.access == .none, protection.accessibility != .whenPasscodeSet,
                let key = secret.key, let value = secret.item.open(as: id, key: key)
            else { continue }
            try await secureStorage.put(value, as: id, protection)
        }
    }

    /// Erases a device that its owner gives away.
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
        life.note(DeviceEvent(.replaced, "it was replaced and erased"))
    }
}
