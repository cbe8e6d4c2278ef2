internal import Foundation
public import VirtualAuthenticator

/// The computer's own clock, for devices that run beside real programs.
public struct SystemTime: TimeSource {
    public init() {}

    public func now() -> Duration {
        let seconds = Date().timeIntervalSince1970
        return .milliseconds(Int64(seconds * 1000))
    }

    /// Returns at a time of this clock, or when the task is cancelled.
    @Sendable public static func wait(until deadline: Duration) async {
        try? await Task.sleep(for: max(.zero, deadline - SystemTime().now()))
    }
}
