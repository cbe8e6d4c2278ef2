internal import Synchronization

/// A clock that a test advances.
public final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// The time this much later.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The time from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether the left instant is earlier.
        public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: (wakes: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var nextID = 0
    }

    private let state = Mutex(State())
    /// One element for each task that starts to sleep.
    public let fellAsleep = AsyncStream.makeStream(of: Duration.self)

    /// Creates a clock at zero.
    public init() {}

    /// The current time, which only a test changes.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero: the clock distinguishes any two instants.
    public var minimumResolution: Duration { .zero }

    /// Sleeps until a test advances the clock to the deadline.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock {
            $0.nextID += 1
            return $0.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = (deadline, continuation)
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
                fellAsleep.continuation.yield(deadline.offset)
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Advances the clock and wakes the tasks that are due.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.wakes <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.values
        }
        // A task that is cancelled meanwhile waits for the clock's lock, and its resumption for the cancellation.
        for sleeper in due { sleeper.continuation.resume() }
    }
}
