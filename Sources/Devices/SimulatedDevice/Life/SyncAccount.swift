internal import CTAP
internal import Causes
package import DeviceProfiles
internal import Synchronization
package import VirtualAuthenticator
internal import WebAuthn

/// An account of a passkey provider, such as iCloud Keychain, with its devices.
///
/// A passkey created, renamed or deleted on one device changes on the others after ``delay``, when both are online. Its
/// BS is 0 before the upload and 1 afterwards. Changes are transferred only in ``settle()``, which brings every device
/// to the state that is due at the current time.
package actor SyncAccount {
    package nonisolated let name: String
    /// The time a change takes to reach the account.
    package nonisolated let delay: Duration

    private let time: any TimeSource
    private var members: [Member] = []
    private var cloud: [[UInt8]: Entry] = [:]
    private var version = 0
    private var lastRun: Task<Void, Never>?

    /// A passkey in the account.
    private struct Entry {
        /// Nil after its deletion.
        var credential: StoredCredential?
        var version: Int
    }

    /// A device of the account and its passkeys at the last run.
    private struct Member {
        let device: SimulatedDevice
        /// The device's number of restores at the last run; each may change every passkey.
        var restores = 0
        var known: [[UInt8]: Known] = [:]
        /// Changes on their way to the account, with the time they were seen.
        var changedAt: [[UInt8]: Duration] = [:]
        /// The versions of the deletions that reached the device: a passkey present again was added later.
        var deletions: [[UInt8]: Int] = [:]

        func hasSeen(deletion entry: Entry, of id: [UInt8]) -> Bool { deletions[id] == entry.version }
    }

    /// A passkey at the last agreement of device and account.
    private struct Known {
        var content: Content
        var version: Int
    }

    /// The parts of a passkey that the user can change.
    private struct Content: Equatable {
        let user: PublicKeyCredentialUserEntity
        let blob: LargeBlobExtensionValue?

        init(_ credential: StoredCredential) {
            user = credential.user
            blob = credential.largeBlob
        }
    }

    package init(name: String, delay: Duration = .zero, time: any TimeSource) {
        self.name = name
        self.delay = delay
        self.time = time
    }

    /// Adds a device, whose passkeys become the account's; throws if they are not synced, or another provider's.
    package func join(_ device: SimulatedDevice) async throws {
        if let obstacle = Self.obstacle(to: device.profile, besides: members.first?.device.profile) {
            throw DeviceRefusal.unsuitable(obstacle)
        }
        guard !members.contains(where: { $0.device === device }) else { return }
        // Before the first suspension, so that a device joins once and later ones are compared with it.
        members.append(Member(device: device, restores: device.restores.load(ordering: .relaxed)))
        await device.authenticator.setBackupState(ofNewCredentials: false)
        await settle()
    }

    /// The reason a device of a kind cannot join an account with a member; nil when it can.
    package static func obstacle(to profile: DeviceProfile, besides other: DeviceProfile?) -> String? {
        let model = profile.authenticator
        guard model.isPlatform, model.isBackupEligible else {
            return "\(profile.name) makes device-bound passkeys, which are not synced"
        }
        guard model.counterMode == .none else {
            return "\(profile.name) counts signatures, which synced passkeys cannot"
        }
        guard let other, !isOfSameProvider(profile, other) else { return nil }
        return "\(profile.name) and \(other.name) belong to different passkey providers"
    }

    /// Devices of one provider share its AAGUID; older devices have the zero AAGUID.
    static func isOfSameProvider(_ one: DeviceProfile, _ other: DeviceProfile) -> Bool {
        let models = [one.authenticator.aaguid, other.authenticator.aaguid]
        return models[0] == models[1] || (one.platform == other.platform && models.contains(.zero))
    }

    /// The reason a device cannot replace a member; nil when it can, or for a device that is not a member.
    func obstacle(to device: SimulatedDevice, inPlaceOf member: SimulatedDevice) -> String? {
        guard hasMember(member) else { return nil }
        return Self.obstacle(to: device.profile, besides: member.profile)
    }

    /// Whether a passkey has reached it.
    package var hasHadPasskey: Bool { !cloud.isEmpty }

    package func hasMember(_ device: SimulatedDevice) -> Bool { members.contains { $0.device === device } }

    /// Removes a device, whose passkeys stay on it; returns whether it was a member.
    @discardableResult
    package func leave(_ device: SimulatedDevice) async -> Bool {
        guard let index = members.firstIndex(where: { $0.device === device }) else { return false }
        members.remove(at: index)
        await device.authenticator.setBackupState(ofNewCredentials: nil)
        return true
    }

    /// Brings every online device to the state that is due at the current time.
    package func settle() async {
        let former = lastRun
        let run = Task {
            await former?.value
            for index in members.indices { await upload(from: index) }
            for index in members.indices { await download(to: index) }
        }
        lastRun = run
        await run.value
    }

    // MARK: From a device

    private func upload(from index: Int) async {
        guard members.indices.contains(index) else { return }
        var member = members[index]
        let device = member.device
        let local = await passkeys(of: device)
        forgetIfRestored(&member)
        note(local, &member)
        if device.life.state.isOnline, !device.life.state.isReplaced {
            for (id, since) in member.changedAt.sorted(by: Self.isEarlier) where time.now() - since >= delay {
                await upload(id, local[id], &member)
                member.changedAt[id] = nil
            }
        }
        if members.indices.contains(index), members[index].device === device { members[index] = member }
    }

    /// Forgets the last run after a restore: it cannot tell deleted passkeys from ones that never existed.
    private func forgetIfRestored(_ member: inout Member) {
        let restores = member.device.restores.load(ordering: .relaxed)
        guard restores != member.restores else { return }
        member.restores = restores
        member.changedAt = [:]
        member.known = [:]
        member.deletions = [:]
    }

    /// Notes changes on a device since the last agreement with the account.
    private func note(_ local: [[UInt8]: StoredCredential], _ member: inout Member) {
        let now = time.now()
        for (id, credential) in local {
            if let known = member.known[id] {
                if known.content != Content(credential) { member.changedAt[id] = member.changedAt[id] ?? now }
            } else if let entry = cloud[id] {
                if entry.credential != nil {
                    // The passkey was shared with the device, or comes from a snapshot.
                    member.known[id] = Known(content: Content(credential), version: 0)
                } else if member.hasSeen(deletion: entry, of: id) {
                    // The passkey was shared with the device after the account had deleted it.
                    member.changedAt[id] = member.changedAt[id] ?? now
                }
            } else {
                member.changedAt[id] = member.changedAt[id] ?? now
            }
        }
        let unwanted = member.device.life.state.unwantedPasskeys
        for id in member.known.keys where local[id] == nil {
            if unwanted.contains(id) {
                member.known[id] = nil
                member.changedAt[id] = nil
            } else {
                member.changedAt[id] = member.changedAt[id] ?? now
            }
        }
    }

    private func upload(_ id: [UInt8], _ credential: StoredCredential?, _ member: inout Member) async {
        guard let credential else {
            guard member.known.removeValue(forKey: id) != nil else { return }
            version += 1
            cloud[id] = Entry(credential: nil, version: version)
            return
        }
        let device = member.device
        await device.authenticator.setBackup(isEligible: nil, isBackedUp: true, credentialID: id)
        guard let copy = await device.authenticator.exportCredential(id) else { return }
        version += 1
        cloud[id] = Entry(credential: copy, version: version)
        member.known[id] = Known(content: Content(credential), version: version)
        device.life.note(DeviceEvent(.passkeyUpload, "the passkey for \(copy.relyingPartyID) reaches \(name)"))
    }

    // MARK: To a device

    private func download(to index: Int) async {
        guard members.indices.contains(index) else { return }
        var member = members[index]
        let device = member.device
        guard device.life.state.isOnline, !device.life.state.isReplaced else { return }
        let local = await passkeys(of: device)
        let unwanted = device.life.state.unwantedPasskeys
        for (id, entry) in cloud.sorted(by: { $0.value.version < $1.value.version }) {
            guard let credential = entry.credential else {
                if local[id] != nil, member.changedAt[id] != nil, member.hasSeen(deletion: entry, of: id) { continue }
                if local[id] != nil {
                    await device.authenticator.removeCredential(id)
                    device.life.note(DeviceEvent(.passkeyDelete, "\(name) deletes a passkey"))
                }
                member.known[id] = nil
                member.changedAt[id] = nil
                member.deletions[id] = entry.version
                continue
            }
            // A pending change of the device itself is newer.
            guard member.changedAt[id] == nil, !unwanted.contains(id), (member.known[id]?.version ?? -1) < entry.version
            else { continue }
            guard await device.authenticator.importCredential(credential) else {
                device.life.note(
                    DeviceEvent(
                        .passkeyArrive, "the device has no space for a passkey for \(credential.relyingPartyID)",
                        cause: .noSpace))
                continue
            }
            member.known[id] = Known(content: Content(credential), version: entry.version)
            device.life.note(
                DeviceEvent(.passkeyArrive, "the passkey for \(credential.relyingPartyID) arrives from \(name)"))
        }
        if members.indices.contains(index), members[index].device === device { members[index] = member }
    }

    /// A deterministic order of changes.
    private static func isEarlier(
        _ first: (key: [UInt8], value: Duration), _ second: (key: [UInt8], value: Duration)
    ) -> Bool {
        first.value != second.value
            ? first.value < second.value : first.key.lexicographicallyPrecedes(second.key)
    }

    private func passkeys(of device: SimulatedDevice) async -> [[UInt8]: StoredCredential] {
        let found = await device.authenticator.snapshot().credentials.filter(\.isBackupEligible)
        return Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    }
}
