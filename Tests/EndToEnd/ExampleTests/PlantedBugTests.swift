import Foundation
import TestSupport
import Testing

@MainActor
@Suite("Bugs planted in the example app")
struct PlantedBugTests {
    @Test("Without a bug, the tests notice nothing")
    func none() async throws {
        #expect(try await Planting.firstNotice(of: nil, by: phoneTests) == nil)
        #expect(try await Planting.firstNotice(of: nil, by: fakeTests) == nil)
        #expect(phoneTests.count >= 20)
    }

    @Test("The tests on a simulated phone notice each of 40 bugs and more, those on fakes fewer than 15")
    func noticed() async throws {
        var missed: [String] = []
        var noticedByFakes: [String] = []
        for bug in plantedBugs {
            if try await Planting.firstNotice(of: bug.name, by: phoneTests) == nil { missed.append(bug.name) }
            if try await Planting.firstNotice(of: bug.name, by: fakeTests) != nil { noticedByFakes.append(bug.name) }
        }
        #expect(plantedBugs.count >= 40)
        #expect(missed == [])
        #expect(noticedByFakes == plantedBugs.filter(\.isNoticedByFakes).map(\.name), "as the tables say")
        #expect(noticedByFakes.count < 15)
        let page = try String(
            contentsOf: PackageRoot.url.appending(path: "Examples/SignIn/README.md"), encoding: .utf8)
        for count in [plantedBugs.count - missed.count, noticedByFakes.count] {
            #expect(page.contains("| \(count) of \(plantedBugs.count) |"), "the page of the example")
        }
    }
}
