import Testing

@MainActor
@Suite("Bugs planted in the example app")
struct PlantedBugTests {
    @Test("The tests on a simulated phone notice the bugs", .timeLimit(.minutes(5)))
    func phone() async throws {
        #expect(try await Planting.notice(nil, phoneTests, all: true) == [])
        for bug in plantedBugs {
            print(bug.name, try await Planting.notice(bug.name, phoneTests, all: true))
            print(bug.name, "fake", try await Planting.notice(bug.name, fakeTests, all: true))
        }
    }
}
