import Machine
import Synchronization
import Testing

/// The computer's clock within a process.
struct MachineClockTests {
    @Test func aCorrectionOfTheCalendarChangesNothing() {
        let calendar = Mutex(Duration.seconds(1_780_000_000))
        let timer = Mutex(Duration.zero)
        let clock = MachineClock(calendar: { calendar.withLock { $0 } }, startTimer: { { timer.withLock { $0 } } })
        #expect(clock.now() == .seconds(1_780_000_000))
        calendar.withLock { $0 -= .seconds(3600) }
        #expect(clock.now() == .seconds(1_780_000_000))
        timer.withLock { $0 += .milliseconds(1500) }
        #expect(clock.now() == .milliseconds(1_780_000_001_500))
        #expect(!clock.isAstray)
    }

    @Test(
        "A calendar far outside every calendar is known, and no trap",
        arguments: [Duration.seconds(-1), .seconds(253_402_300_800), .seconds(Int64.max), .seconds(Int64.min)])
    func astray(time: Duration) {
        let clock = MachineClock(calendar: { time }, startTimer: { { .seconds(1) } })
        #expect(clock.isAstray)
        #expect(clock.now() == .seconds(1) || clock.now() == .seconds(253_402_300_800))
    }

    @Test func theProcessHasOneClockThatPasses() {
        let start = MachineClock.shared.now()
        #expect(MachineClock.shared.now() >= start)
        #expect(!MachineClock.shared.isAstray)
    }
}
