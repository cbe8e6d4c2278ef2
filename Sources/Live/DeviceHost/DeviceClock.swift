internal import MachineTime
internal import SimulatedDevice
internal import Synchronization
package import VirtualAuthenticator

/// The time of a running device: the computer's, or a simulated clock that moves only on request.
package enum DeviceClock: TimeSource {
    /// The computer's clock, as the device shows it.
    case real(DeviceTime = DeviceTime())
    /// A clock of this device alone, on which a lockout passes at once.
    case simulated(ManualTime)

    package func now() -> Duration {
        switch self {
        case .real: SystemTime().now()
        case .simulated(let time): time.clock.now()
        }
    }

    package func shownTime() -> Duration {
        switch self {
        case .real(let time): time.shownTime()
        case .simulated(let time): time.clock.shownTime()
        }
    }

    /// A time of ``now()`` as the device shows it.
    package func shown(_ time: Duration) -> Duration { time - (now() - shownTime()) }

    /// Returns at the deadline, or when the task is cancelled.
    @Sendable package func wait(until deadline: Duration) async {
        switch self {
        case .real: await SystemTime.wait(until: deadline)
        case .simulated(let time): await time.wait(until: deadline)
        }
    }

    /// Lets time pass until the deadline; a simulated clock advances to it at once.
    @Sendable func pass(until deadline: Duration) async {
        switch self {
        case .real: await SystemTime.wait(until: deadline)
        case .simulated(let time): time.advance(to: deadline)
        }
    }

    /// Sets the shown time back by a span, as a user who wants a time limit not to come.
    ///
    /// - Throws: ``DeviceHostError`` for a span that leads before 1970.
    func setBack(by span: Duration) throws(DeviceHostError) {
        guard span >= .zero, shownTime() - span >= .zero else {
            throw .impossible("the clock can be set back to a time after 1970 only; choose a shorter span")
        }
        switch self {
        case .real(let time): time.setBack(by: span)
        case .simulated(let time): time.clock.setBack(by: span)
        }
    }
}

/// A simulated clock with waiters.
package final class ManualTime: Sendable {
    package let clock: SimulatedClock
    private let waiters = Mutex<(next: UInt64, waiting: [UInt64: Waiter])>((0, [:]))

    private struct Waiter {
        let deadline: Duration
        let resume: CheckedContinuation<Void, Never>
    }

    /// Wraps a clock that nothing else advances.
    package init(_ clock: SimulatedClock = SimulatedClock()) { self.clock = clock }

    /// Advances the clock by a span, and wakes the waiters whose deadline has passed.
    @discardableResult
    package func advance(by span: Duration) -> Duration {
        clock.advance(by: span)
        wake()
        return clock.now()
    }

    func advance(to time: Duration) {
        clock.advance(to: time)
        wake()
    }

    func wait(until deadline: Duration) async {
        let number = waiters.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = waiters.withLock { state in
                    guard !Task.isCancelled, clock.now() < deadline else { return false }
                    state.waiting[number] = Waiter(deadline: deadline, resume: continuation)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            waiters.withLock { $0.waiting.removeValue(forKey: number) }?.resume.resume()
        }
    }

    private func wake() {
        let now = clock.now()
        let due = waiters.withLock { state in
            let due = state.waiting.filter { $0.value.deadline <= now }
            for number in due.keys { state.waiting[number] = nil }
            return due.values.map(\.resume)
        }
        due.forEach { $0.resume() }
    }
}
