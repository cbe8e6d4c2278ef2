internal import Foundation
internal import VirtualAuthenticator

/// The computer's clock, for devices used by real programs.
package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Duration {
        let seconds = Date().timeIntervalSince1970
        return .milliseconds(Int64(seconds * 1000))
    }

    /// Returns at a time of this clock, or when the task is cancelled.
    @Sendable package static func wait(until deadline: Duration) async {
        try? await Task.sleep(for: max(.zero, deadline - SystemTime().now()))
    }
}
