internal import Synchronization

/// A clock that only moves on request: a thirty-second lockout takes no time.
public final class SimulatedClock: TimeSource {
    private let state: Mutex<(now: Duration, setBack: Duration)>

    /// A clock that stands at a time since the Unix epoch; by default 1 January 2026.
    public init(at start: Duration = .seconds(1_767_225_600)) { state = Mutex((start, .zero)) }

    /// The time since the Unix epoch, which ``setBack(by:)`` does not change.
    public func now() -> Duration { state.withLock { $0.now } }

    /// The time since the Unix epoch that the clock shows.
    public func shownTime() -> Duration { state.withLock { $0.now - $0.setBack } }

    /// Moves the clock on by a span.
    public func advance(by span: Duration) { state.withLock { $0.now += span } }

    /// Moves the clock on to a time; a time already past changes nothing.
    public func advance(to time: Duration) { state.withLock { $0.now = max($0.now, time) } }

    /// Sets the shown time back by a span, as the device's user does.
    public func setBack(by span: Duration) { state.withLock { $0.setBack += span } }
}
