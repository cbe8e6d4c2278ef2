internal import CTAP
internal import CTAPHID
internal import DeviceHost
internal import SimulatedDevice
internal import Transports

extension ManagedDevice {
    /// Hands out the device as clients reach it: over packets where packets go wrong, without them otherwise.
    ///
    /// - Parameter refusal: hears why the device refuses what `use` asks of it.
    /// - Throws: `CTAPDeviceError` when the device is pulled out.
    func reached<Result: Sendable>(
        hearing refusal: LastRefusal? = nil, _ use: (any CTAPDevice) async throws -> Result
    ) async throws -> Result {
        let faults = host.device.transport
        let ctap = refusal?.heard(host.ctap) ?? host.ctap
        guard !faults.armed.isEmpty || faults.isUnplugged else { return try await use(ctap) }
        var configuration = UDPEndpoint.Configuration()
        configuration.port = 0
        let endpoint = try await UDPEndpoint.listen(device: ctap, configuration: configuration, faults: faults)
        do {
            // The device tells that it waits for its person, so that only a broken transport is silent for so long.
            let device = try await UDPDevice.connect(
                to: configuration.address, port: endpoint.port, silenceLimit: .seconds(1))
            let result = try await use(device)
            await endpoint.close()
            return result
        } catch {
            await endpoint.close()
            throw error
        }
    }
}
