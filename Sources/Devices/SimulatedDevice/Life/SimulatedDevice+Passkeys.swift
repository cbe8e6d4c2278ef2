internal import CTAP
internal import DeviceProfiles
package import VirtualAuthenticator

/// A selection of a device's passkeys.
package struct PasskeyFilter: Hashable, Sendable {
    /// The account name; nil for all accounts.
    package var account: String?
    /// The relying party; nil for all.
    package var relyingPartyID: String?

    package init(account: String? = nil, relyingPartyID: String? = nil) {
        self.account = account
        self.relyingPartyID = relyingPartyID
    }

    package var isEverything: Bool { account == nil && relyingPartyID == nil }

    package var words: String {
        ["the passkey", account.map { "of \($0)" }, relyingPartyID.map { "for \($0)" }].compactMap(\.self)
            .joined(separator: " ")
    }
}

/// The devices a passkey is deleted from.
package enum DeletionReach: String, Sendable, CaseIterable {
    /// This device; the account keeps the passkey and does not restore it here.
    case here
    /// Every device of the account, when it syncs.
    case everywhere
}

extension SimulatedDevice {
    /// Whether the device has a passkey of a relying party.
    package func hasPasskey(of relyingPartyID: String) async -> Bool {
        await !passkeys(PasskeyFilter(relyingPartyID: relyingPartyID)).isEmpty
    }

    /// Deletes passkeys without telling their relying parties; throws when none is selected.
    package func forgetPasskeys(
        _ filter: PasskeyFilter = PasskeyFilter(), _ reach: DeletionReach = .here
    ) async throws {
        let found = await passkeys(filter)
        guard !found.isEmpty else { throw DeviceRefusal.noSuchPasskey }
        if reach == .here { try life.change { $0.unwantedPasskeys.formUnion(found.map(\.id)) } }
        for credential in found {
            await authenticator.removeCredential(credential.id)
            life.note(
                DeviceEvent(
                    .passkeyDelete, "the passkey for \(credential.relyingPartyID) is deleted \(reach.rawValue)"))
        }
    }

    /// Renames the account of passkeys; throws when the filter matches none.
    ///
    /// - Returns: whether one of them had another name.
    package func renamePasskey(_ filter: PasskeyFilter, to name: String) async throws -> Bool {
        let found = await passkeys(filter)
        guard !found.isEmpty else { throw DeviceRefusal.noSuchPasskey }
        guard found.contains(where: { $0.user.name != name || $0.user.displayName != name }) else { return false }
        for credential in found {
            let user = PublicKeyCredentialUserEntity(id: credential.user.id, name: name, displayName: name)
            await authenticator.renameUser(of: credential.id, to: user)
            life.note(DeviceEvent(.passkeyRename, "the passkey for \(credential.relyingPartyID) is renamed \(name)"))
        }
        return true
    }

    /// Copies passkeys to another device, as AirDrop does; both devices then sign with the same credential ID.
    ///
    /// - Throws: ``DeviceRefusal/noSuchPasskey``; ``DeviceRefusal/deviceBound`` for a passkey that is not backup eligible;
    ///   ``DeviceRefusal/unsuitable(_:)`` for a device of another passkey provider;
    ///   ``DeviceRefusal/noSpace``; ``DeviceRefusal/offline`` or a ``DeviceRefusal`` when a device cannot take part. Then
    ///   nothing is copied.
    ///
    /// - Returns: whether at least one passkey is new to the other device.
    @discardableResult
    package func sharePasskeys(
        _ filter: PasskeyFilter = PasskeyFilter(), with other: SimulatedDevice
    ) async throws -> Bool {
        guard other !== self else { throw DeviceRefusal.unsuitable("a device cannot share passkeys with itself") }
        for device in [self, other] {
            try device.requireScreen()
            if device.life.state.isLocked { throw DeviceRefusal.deviceLocked }
            // Airplane mode switches off the radios that the copy uses.
            if !device.life.state.isOnline { throw DeviceRefusal.offline }
        }
        let found = await passkeys(filter)
        guard !found.isEmpty else { throw DeviceRefusal.noSuchPasskey }
        guard found.allSatisfy(\.isBackupEligible) else { throw DeviceRefusal.deviceBound }
        // AirDrop and the groups of a password manager reach the provider's own users only.
        guard SyncAccount.isOfSameProvider(profile, other.profile) else {
            throw DeviceRefusal.unsuitable(
                "\(profile.name) and \(other.profile.name) belong to different passkey providers, which do not share passkeys"
            )
        }
        let present = Set(await other.authenticator.snapshot().credentials.map(\.id))
        guard await other.authenticator.importCredentials(found) else { throw DeviceRefusal.noSpace }
        try other.life.change { $0.unwantedPasskeys.subtract(found.map(\.id)) }
        for credential in found {
            other.life.note(
                DeviceEvent(.passkeyArrive, "a passkey for \(credential.relyingPartyID) arrives from another device"))
        }
        return !found.allSatisfy { present.contains($0.id) }
    }

    /// The selected discoverable credentials, oldest first.
    package func passkeys(_ filter: PasskeyFilter) async -> [StoredCredential] {
        await authenticator.snapshot().credentials.filter { credential in
            (filter.account == nil || credential.user.name == filter.account)
                && (filter.relyingPartyID == nil || credential.relyingPartyID == filter.relyingPartyID)
        }
    }
}
