import Testing
import VirtualAuthenticator

@testable import DeviceHost

/// The time of a running device.
@Suite struct DeviceClockTests {
    /// Waits and returns the time of waking.
    private func woken(_ time: ManualTime, at deadline: Duration) -> Task<Duration, Never> {
        Task {
            await time.wait(until: deadline)
            return time.clock.now()
        }
    }

    @Test("A waiter on a simulated clock is woken at its deadline, not before")
    func advancingClockWakesWaiters() async {
        let time = ManualTime(SimulatedClock(at: .zero))
        let early = (0..<50).map { _ in woken(time, at: .seconds(5)) }
        let late = (0..<50).map { _ in woken(time, at: .seconds(10)) }
        #expect(time.advance(by: .seconds(5)) == .seconds(5))
        for task in early { #expect(await task.value == .seconds(5)) }
        #expect(time.advance(by: .seconds(7)) == .seconds(12))
        for task in late { #expect(await task.value == .seconds(12)) }
    }

    @Test("A wait for a past time returns at once")
    func waitForThePastReturnsAtOnce() async {
        let time = ManualTime(SimulatedClock(at: .seconds(5)))
        await time.wait(until: .seconds(5))
        await time.wait(until: .seconds(1))
        await DeviceClock.simulated(time).wait(until: .zero)
        await DeviceClock.real().wait(until: DeviceClock.real().now() - .seconds(1))
        #expect(time.clock.now() == .seconds(5))
    }

    @Test("A real clock that is set back shows an earlier time, and its waits take no longer")
    func realClockIsSetBack() async throws {
        let clock = DeviceClock.real()
        let (before, shown) = (clock.now(), clock.shownTime())
        try clock.setBack(by: .seconds(3600))
        #expect(clock.shownTime() <= shown - .seconds(3000))
        #expect(clock.now() >= before)
        await clock.wait(until: before)
    }

    @Test("A cancelled wait ends, and the others continue")
    func cancellationEndsWait() async {
        let time = ManualTime(SimulatedClock(at: .zero))
        let other = woken(time, at: .seconds(1))
        let cancelled = (0..<50).map { _ in woken(time, at: .seconds(60)) }
        for task in cancelled { task.cancel() }
        for task in cancelled { #expect(await task.value == .zero) }
        time.advance(by: .seconds(1))
        #expect(await other.value == .seconds(1))
        let real = Task { await DeviceClock.real().wait(until: DeviceClock.real().now() + .seconds(3600)) }
        real.cancel()
        await real.value
    }

    @Test("Passing time advances a simulated clock at once, never back, and wakes its waiters")
    func simulatedTimeAdvances() async {
        let time = ManualTime(SimulatedClock(at: .zero))
        let clock = DeviceClock.simulated(time)
        let waiting = woken(time, at: .seconds(30))
        await clock.pass(until: .seconds(30))
        #expect(clock.now() == .seconds(30))
        #expect(await waiting.value == .seconds(30))
        await clock.pass(until: .seconds(3))
        #expect(clock.now() == .seconds(30))
    }
}
