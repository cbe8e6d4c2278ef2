internal import MachineTime
internal import SimulatedDevice
internal import Synchronization

/// The computer's clock, and the time that one device shows: its user can set it back.
package final class DeviceTime: Sendable {
    private let offset = Mutex(Duration.zero)

    package init() {}

    func shownTime() -> Duration { SystemTime().now() - offset.withLock { $0 } }

    func setBack(by span: Duration) { offset.withLock { $0 += span } }
}
