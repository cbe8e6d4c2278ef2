internal import Machine
internal import VirtualAuthenticator

/// The computer's clock, for devices used by real programs; it never runs backwards within a process.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Duration { MachineClock.shared.now() }

    /// Returns at a time of this clock, or when the task is cancelled.
    @Sendable package static func wait(until deadline: Duration) async {
        try? await Task.sleep(for: max(.zero, deadline - SystemTime().now()))
    }
}
