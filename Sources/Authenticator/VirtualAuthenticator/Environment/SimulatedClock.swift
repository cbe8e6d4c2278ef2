internal import Synchronization

/// A clock that only moves by ``advance(by:)`` and ``advance(to:)``: a thirty-second lockout takes no time.
public final class SimulatedClock: TimeSource {
    private let current: Mutex<Duration>

    /// A clock that stands at a time since the Unix epoch; by default 1 January 2026.
    public init(at start: Duration = .seconds(1_767_225_600)) { current = Mutex(start) }

    /// The time the clock shows, since the Unix epoch.
    public func now() -> Duration { current.withLock { $0 } }

    /// Moves the clock on by a span.
    public func advance(by span: Duration) { current.withLock { $0 += span } }

    /// Moves the clock on to a time; a time already past changes nothing.
    public func advance(to time: Duration) { current.withLock { $0 = max($0, time) } }
}
