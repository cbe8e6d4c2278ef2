internal import CTAP
internal import Causes
internal import SimulatedDevice
internal import Synchronization

/// The device's last refusal of one client's commands, with the device's own reason and its cause.
///
/// The wire does not carry the reason. A task-local value does: the events that a device records in a client's task
/// belong to that client, however many clients use the device.
final class LastRefusal: Sendable {
    @TaskLocal static var current: LastRefusal?

    private let stored = Mutex<(reason: String, cause: Cause?)?>(nil)

    /// The label of the reason; nil without a refusal.
    var reason: String? { stored.withLock { $0?.reason } }

    var cause: Cause? { stored.withLock { $0?.cause } }

    func note(_ event: EventDescription) {
        guard let reason = event.reason else { return }
        stored.withLock { $0 = (reason, event.cause) }
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
