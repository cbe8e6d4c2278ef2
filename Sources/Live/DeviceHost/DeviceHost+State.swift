internal import COSE
internal import DeviceProfiles
internal import DeviceStore
internal import SimulatedDevice
internal import VirtualAuthenticator

extension DeviceHost {
    /// Creates a device, or restores the one in the store; on return the store holds its whole state.
    static func device(
        _ profile: DeviceProfile, person: any User, clock: DeviceClock, seed: UInt64?, log: EventLog,
        store: DeviceStore?
    ) async throws(DeviceHostError) -> SimulatedDevice {
        do {
            let random: any RandomSource = seed.map(SeededRandomSource.init) ?? SystemRandomSource()
            let signing: COSE.SigningMode = seed == nil ? .randomized : .deterministic
            let device = try SimulatedDevice(
                profile: profile, restoring: try store?.load(), time: clock, random: random, user: person,
                signing: signing, log: log, storage: store, wait: clock.pass)
            try await device.authenticator.flush()
            return device
        } catch {
            let place = store.map { "\($0.path): " } ?? ""
            throw .unreadableState(error is DeviceStoreError ? "\(error)" : place + "\(error)")
        }
    }

    /// Writes the device's whole state to a new state file.
    func writeSnapshot(to path: String) async throws {
        try DeviceStore.writeSnapshot(
            try await device.exportState(), to: path, for: DeviceIdentity(device.profile),
            createdAt: clock.now(), sealedLike: store)
    }

    func restore(from path: String) async throws {
        let reader = try StoreReader(path)
        try reader.requireState(of: DeviceIdentity(device.profile))
        guard let stored = try reader.content(sealedLike: store) else {
            throw DeviceHostError.impossible("\(path) holds no state")
        }
        try await device.restore(stored)
    }

    /// Switches the device off: writes the counter values that were reserved and not used back, and closes the state
    /// file, if there is one.
    package func close() async throws(DeviceHostError) {
        await scanWays.close()
        guard let store else { return }
        do {
            try await device.authenticator.flush()
            try store.close()
        } catch {
            throw .unwritableState("\(store.path): \(error)")
        }
    }
}
