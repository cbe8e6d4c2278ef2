internal import CTAP
internal import SimulatedDevice
internal import Synchronization

/// Why a device last refused what one client asked of it, in the device's own words.
///
/// The wire does not carry it. It travels as a task-local value: what a device records on the way belongs to the client
/// in whose task it does, however many clients there are.
final class LastRefusal: Sendable {
    @TaskLocal static var current: LastRefusal?

    private let stored = Mutex<String?>(nil)

    /// The label of the reason; nil while the device has refused nothing.
    var reason: String? { stored.withLock { $0 } }

    /// Notes an event of the device.
    func note(_ event: EventDescription) {
        guard let reason = event.reason else { return }
        stored.withLock { $0 = reason }
    }

    /// The device, with its refusals heard.
    func heard(_ device: some CTAPDevice) -> any CTAPDevice { HeardDevice(device: device, refusal: self) }
}

/// A device whose refusals are heard; otherwise the device it wraps.
private struct HeardDevice<Device: CTAPDevice>: CTAPDevice {
    let device: Device
    let refusal: LastRefusal

    func transceive(
        _ message: [UInt8], onKeepalive: @escaping @Sendable (KeepaliveStatus) -> Void
    ) async throws(CTAPDeviceError) -> [UInt8] {
        let result = await LastRefusal.$current.withValue(refusal) { () async -> Result<[UInt8], CTAPDeviceError> in
            do throws(CTAPDeviceError) {
                return .success(try await device.transceive(message, onKeepalive: onKeepalive))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension HeardDevice: PowerCyclable where Device: PowerCyclable {
    func powerCycle() async { await device.powerCycle() }
}
