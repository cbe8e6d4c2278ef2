internal import DeviceActs
internal import SimulatedDevice
internal import Transports

extension Stage {
    /// Copies passkeys from one device to another.
    func share(
        _ filter: PasskeyFilter, from device: SimulatedDevice, to other: String, _ observation: inout Observation
    ) async throws {
        guard let other = actors[other]?.simulation?.device else { return }
        await observing(&observation) { try await device.sharePasskeys(filter, with: other) }
    }

    /// Has one device take another's place, in its account, too.
    func replace(_ device: SimulatedDevice, by other: String, _ observation: inout Observation) async throws {
        guard let other = actors[other]?.simulation?.device else { return }
        await observing(&observation) { try await other.takeOver(from: device, in: accounts) }
    }

    private func observing(_ observation: inout Observation, _ body: () async throws -> Void) async {
        do {
            try await body()
        } catch {
            observation.succeeded = false
            observation.ownCause = "\(error)"
        }
    }

    /// Why the app on a device cannot go on with its relying party; nil when it can.
    func obstacle(_ actor: Actor, _ observation: inout Observation) -> Bool {
        guard let cause = actor.simulation?.device.obstacleToCeremony() else { return false }
        observation.succeeded = false
        observation.ownCause = cause
        return true
    }

    /// Brings synced passkeys to where the clock says they are.
    func settle() async {
        for account in accounts { await account.settle() }
    }
}

extension Stage.Simulation {
    /// Does something to the device, with what its transport has to do with it.
    func perform(_ act: DeviceAct) async -> DeviceActResult {
        guard let endpoint else { return await device.perform(act) }
        return await device.perform(act) { await endpoint.powerCycle() }
    }
}
