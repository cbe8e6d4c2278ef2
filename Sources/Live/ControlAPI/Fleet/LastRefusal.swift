internal import CTAP
internal import SimulatedDevice
internal import Synchronization

/// The device's last refusal of one client's commands, with the device's own reason.
///
/// The wire does not carry the reason. A task-local value does: the events that a device records in a client's task
/// belong to that client, however many clients use the device.
final class LastRefusal: Sendable {
    @TaskLocal static var current: LastRefusal?

    private let stored = Mutex<String?>(nil)

    /// The label of the reason; nil without a refusal.
    var reason: String? { stored.withLock { $0 } }

    func note(_ event: EventDescription) {
        guard let reason = event.reason else { return }
        stored.withLock { $0 = reason }
    }

    /// Wraps the device so that its refusals are noted.
    func observing(_ device: some CTAPDevice) -> any CTAPDevice {
        InterceptedDevice(device) { (device, message, onKeepalive) async throws(CTAPDeviceError) in
            let result = await Self.$current.withValue(self) { () async -> Result<[UInt8], CTAPDeviceError> in
                do throws(CTAPDeviceError) {
                    return .success(try await device.transceive(message, onKeepalive: onKeepalive))
                } catch {
                    return .failure(error)
                }
            }
            return try result.get()
        }
    }
}
