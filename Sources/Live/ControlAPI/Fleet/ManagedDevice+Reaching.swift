internal import CTAP
internal import CTAPHID
internal import DeviceHost
internal import Machine
internal import SimulatedDevice
internal import Transports

extension ManagedDevice {
    /// Passes the device to its client: over UDP when transport faults are armed, directly otherwise.
    ///
    /// - Throws: `CTAPDeviceError` when the device is unplugged.
    func reached<Result: Sendable>(
        hearing events: CeremonyEvents? = nil, _ use: (any CTAPDevice) async throws -> Result
    ) async throws -> Result {
        let faults = host.device.transportFaults
        let ctap = events?.observing(host.ctap) ?? host.ctap
        guard !faults.armed.isEmpty || faults.isUnplugged else { return try await use(ctap) }
        // A device that waits for its user sends keepalives, so only a broken transport is silent for a second.
        let (endpoint, device) = try await UDPEndpoint.loop(to: ctap, faults: faults, silenceLimit: .seconds(1))
        return try await closing(endpoint.close) {
            try await use(device)
        }
    }
}
