internal import Dispatch

/// The clock of a ``CTAPHIDServerRunner``.
package struct RunnerTime: Sendable {
    /// The time since the clock was created.
    let now: @Sendable () -> Duration
    let sleep: @Sendable (_ until: Duration) async throws -> Void
    /// Calls an action once, at a time or a little later.
    let call: @Sendable (_ at: Duration, _ action: @escaping @Sendable () -> Void) -> Void

    /// The computer's monotonic clock.
    ///
    /// One queue outside the concurrency pool calls for all devices. The pool's threads may be busy for longer than a
    /// keepalive's interval.
    package static func monotonic() -> RunnerTime {
        let time = RunnerTime(ContinuousClock())
        return RunnerTime(now: time.now, sleep: time.sleep) { deadline, action in
            let left = max(.zero, deadline - time.now())
            Self.queue.asyncAfter(deadline: .now() + .nanoseconds(Int(left / .nanoseconds(1))), execute: action)
        }
    }

    /// A clock whose calls run on the concurrency pool, such as one that a test advances.
    package init<C: Clock>(_ clock: C) where C.Duration == Duration {
        let start = clock.now
        let sleep: @Sendable (Duration) async throws -> Void = {
            try await clock.sleep(until: start.advanced(by: $0), tolerance: nil)
        }
        self.init(now: { start.duration(to: clock.now) }, sleep: sleep) { deadline, action in
            Task { if (try? await sleep(deadline)) != nil { action() } }
        }
    }

    private init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        call: @escaping @Sendable (Duration, @escaping @Sendable () -> Void) -> Void
    ) {
        (self.now, self.sleep, self.call) = (now, sleep, call)
    }

    private static let queue = DispatchQueue(label: "touchstone.ctaphid.timers", qos: .userInteractive)
}
