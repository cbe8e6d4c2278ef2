internal import CTAP
internal import VirtualAuthenticator

/// Which passkeys of a device are meant.
package struct PasskeyFilter: Hashable, Sendable {
    /// Those of an account of this name; nil for all.
    package var account: String?
    /// Those of this relying party; nil for all.
    package var relyingPartyID: String?

    package init(account: String? = nil, relyingPartyID: String? = nil) {
        self.account = account
        self.relyingPartyID = relyingPartyID
    }

    package var isEverything: Bool { account == nil && relyingPartyID == nil }

    /// What is meant, in a few words.
    package var words: String {
        ["the passkey", account.map { "of \($0)" }, relyingPartyID.map { "for \($0)" }].compactMap(\.self)
            .joined(separator: " ")
    }
}

/// How far the deletion of a passkey goes.
package enum DeletionReach: String, Sendable, CaseIterable {
    /// Gone from this device; the account it is synced with keeps it, and does not bring it back here.
    case here
    /// Gone from every device of the account, as fast as it syncs.
    case everywhere
}

extension SimulatedDevice {
    /// Deletes passkeys behind their relying parties' backs.
    ///
    /// - Throws: ``LifeError/noSuchPasskey`` when the filter asks for some and there are none.
    package func forgetPasskeys(
        _ filter: PasskeyFilter = PasskeyFilter(), _ reach: DeletionReach = .here
    ) async throws {
        let found = await passkeys(filter)
        guard !found.isEmpty || filter.isEverything else { throw LifeError.noSuchPasskey }
        if reach == .here { try life.change { $0.unwantedPasskeys.formUnion(found.map(\.id)) } }
        for credential in found {
            await authenticator.removeCredential(credential.id)
            life.note(
                DeviceEvent(
                    .passkeyDelete, "the passkey for \(credential.relyingPartyID) is deleted \(reach.rawValue)"))
        }
    }

    /// Changes what the account of passkeys is called.
    ///
    /// - Throws: ``LifeError/noSuchPasskey`` when there is none.
    package func renamePasskey(_ filter: PasskeyFilter, to name: String) async throws {
        let found = await passkeys(filter)
        guard !found.isEmpty else { throw LifeError.noSuchPasskey }
        for credential in found {
            let user = PublicKeyCredentialUserEntity(id: credential.user.id, name: name, displayName: name)
            await authenticator.renameUser(of: credential.id, to: user)
            life.note(DeviceEvent(.passkeyRename, "the passkey for \(credential.relyingPartyID) is called \(name)"))
        }
    }

    /// Copies passkeys to another device, as AirDrop does; both sign from then on, with the same credential ID.
    ///
    /// - Throws: ``LifeError/noSuchPasskey``; ``LifeError/deviceBound`` for one that may not be backed up;
    ///   ``LifeError/noSpace``; ``LifeError/offline`` or a ``StorageRefusal`` when one of the two cannot take part. Then
    ///   nothing was copied.
    package func sharePasskeys(_ filter: PasskeyFilter = PasskeyFilter(), with other: SimulatedDevice) async throws {
        guard other !== self else { throw LifeError.unsuitable("a device has what it has already") }
        for device in [self, other] {
            try device.requireScreen()
            if device.life.state.isLocked { throw StorageRefusal.deviceLocked }
            // Airplane mode takes the radios that such a copy goes over.
            if !device.life.state.isOnline { throw LifeError.offline }
        }
        let found = await passkeys(filter)
        guard !found.isEmpty else { throw LifeError.noSuchPasskey }
        guard found.allSatisfy(\.isBackupEligible) else { throw LifeError.deviceBound }
        guard await other.authenticator.importCredentials(found) else { throw LifeError.noSpace }
        try other.life.change { $0.unwantedPasskeys.subtract(found.map(\.id)) }
        for credential in found {
            other.life.note(
                DeviceEvent(.passkeyArrive, "a passkey for \(credential.relyingPartyID) is shared with it"))
        }
    }

    /// The discoverable credentials that are meant, oldest first.
    func passkeys(_ filter: PasskeyFilter) async -> [StoredCredential] {
        await authenticator.snapshot().credentials.filter { credential in
            (filter.account == nil || credential.user.name == filter.account)
                && (filter.relyingPartyID == nil || credential.relyingPartyID == filter.relyingPartyID)
        }
    }
}
