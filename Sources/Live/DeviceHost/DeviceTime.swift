internal import SimulatedDevice
internal import Synchronization

/// The computer's clock as one device shows it: its user can set it back.
package final class DeviceTime: Sendable {
    private let offset = Mutex(Duration.zero)

    package init() {}

    func now() -> Duration { SystemTime().now() - offset.withLock { $0 } }

    func setBack(by span: Duration) { offset.withLock { $0 += span } }

    /// Returns at a time of this clock; setting it back during the wait does not prolong the wait.
    func wait(until deadline: Duration) async { await SystemTime.wait(until: deadline + offset.withLock { $0 }) }
}
