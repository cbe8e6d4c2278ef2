import Testing

@testable import Transports

@Suite("The pace of reports")
struct ReportPaceTests {
    private static let millisecond: UInt64 = 1_000_000

    /// The turns of reports that are ready at the same time, in milliseconds.
    private static func turns(_ pace: inout ReportPace, _ count: Int, at milliseconds: UInt64) -> [UInt64] {
        (0..<count).map { _ in pace.takeTurn(at: milliseconds * millisecond) / millisecond }
    }

    @Test(arguments: [(ReportPace.toKey, 16), (ReportPace.fromKey, 32)])
    func aBurstLeavesAtOnceAndTheRestEveryTwoMilliseconds(pace: ReportPace, burst: Int) {
        var pace = pace
        #expect(Self.turns(&pace, burst + 3, at: 1000) == Array(repeating: 0, count: burst) + [2, 4, 6])
    }

    @Test func aPauseEarnsOneTurn() {
        var pace = ReportPace.toKey
        _ = Self.turns(&pace, 16, at: 1000)
        #expect(Self.turns(&pace, 3, at: 1004) == [0, 2, 4])
        #expect(Self.turns(&pace, 2, at: 60_000) == [0, 2])
    }

    @Test func anAnswerOfTheOtherSideAllowsABurst() {
        var pace = ReportPace.toKey
        #expect(Self.turns(&pace, 17, at: 1000).last == 2)
        pace.refill()
        #expect(Self.turns(&pace, 17, at: 1000) == Array(repeating: 0, count: 16) + [2])
    }

    @Test func turnsThatWereWaitedForEarnNothing() {
        var pace = ReportPace.toKey
        _ = Self.turns(&pace, 16, at: 1000)
        // Each report waits for its turn before the next one asks.
        for time in stride(from: 1000 as UInt64, to: 1040, by: 2) {
            #expect(Self.turns(&pace, 1, at: time) == [2])
        }
    }
}
