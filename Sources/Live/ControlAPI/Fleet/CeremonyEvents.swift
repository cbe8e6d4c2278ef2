internal import CTAP
internal import Causes
internal import SimulatedDevice
internal import Synchronization

/// The events that a device records for one client's commands: its last refusal with its own reason, and the user's acts.
///
/// The wire carries neither. A task-local value does: the events that a device records in a client's task
/// belong to that client, however many clients use the device.
final class CeremonyEvents: Sendable {
    @TaskLocal static var current: CeremonyEvents?

    private let noted = Mutex<(reason: String?, cause: Cause?, acts: [String])>((nil, nil, []))

    /// The label of the refusal's reason; nil without a refusal.
    var reason: String? { noted.withLock { $0.reason } }

    /// The cause of the refusal.
    var cause: Cause? { noted.withLock { $0.cause } }

    /// The words of the user's acts, in order.
    var acts: [String] { noted.withLock { $0.acts } }

    func note(_ event: EventDescription) {
        noted.withLock { noted in
            if let reason = event.reason { (noted.reason, noted.cause) = (reason, event.cause) }
            if let act = event.act { noted.acts.append(act) }
        }
    }

    /// Wraps the device so that its events are noted.
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
