import BiometricStatistics
import Biometrics
import SampleGates
import TestSupport
import Testing

@Suite("People a day")
struct PeopleADayTests {
    @Test("Without bad days the share of days with a failed prompt follows from the share of prompts")
    func independentDays() throws {
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.5))
        let gate = Device.touchID.gate
        let share = try Forecast(model, of: .genuine, under: LockoutRules(gate)).failureByPrompt
        // A day of one prompt is a prompt.
        let people = try PeopleADay.measure(
            users: 10_000, promptsPerDay: 1, gate, model: model, prompts: 60_000, seed: 5, level: 0.999)
        let failed = try #require(people.groups.first)
        #expect((failed.lower...failed.upper).contains(10_000 * share), "\(failed), \(10_000 * share)")
        #expect(failed.lower < failed.people && failed.people < failed.upper)
        #expect(people.days == 60_000)
    }

    @Test func morePromptsADayAffectMorePeople() throws {
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.4))
        let counts = try [1, 3, 10].map { prompts in
            try PeopleADay.measure(
                users: 1000, promptsPerDay: prompts, Device.touchID.gate, model: model, prompts: 30_000, seed: 5
            ).groups[0].people
        }
        #expect(counts == counts.sorted() && counts[0] < counts[2], "\(counts)")
        #expect(counts[2] <= 1000)
    }

    @Test func badDaysWidenTheInterval() throws {
        func width(_ badDays: RecognitionModel.BadDays?) throws -> Double {
            let model = try RecognitionModel(
                falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0.3), badDays: badDays)
            let failed = try PeopleADay.measure(
                users: 1000, promptsPerDay: 3, Device.touchID.gate, model: model, prompts: 60_000, seed: 7
            ).groups[0]
            return (failed.upper - failed.lower) / failed.people.squareRoot()
        }
        let bad = RecognitionModel.BadDays(.init(falseRejectRate: 0.8), share: 0.05, length: 60)
        #expect(try width(bad) > 1.3 * width(nil))
    }

    @Test func noErrorStillHasAnUpperEnd() throws {
        let model = try RecognitionModel(falseAcceptRate: 0, goodDay: .init(falseRejectRate: 0))
        let people = try PeopleADay.measure(
            users: 1000, promptsPerDay: 2, Device.touchID.gate, model: model, prompts: 2000, seed: 1)
        for group in people.groups {
            #expect(group.people == 0 && group.lower == 0)
            // 3.7/N for N = 1000 days, of 1000 users.
            #expect((3.6...3.8).contains(group.upper), "\(group)")
        }
    }
}
