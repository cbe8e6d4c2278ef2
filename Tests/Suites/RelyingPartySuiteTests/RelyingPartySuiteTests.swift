import Conformance
import Foundation
import RelyingPartySuite
import Testing

@Suite("The suite for relying parties", .serialized)
struct RelyingPartySuiteTests {
    static let cases = RelyingPartySuite.all.cases.map(\.description)

    @Test func theCatalogueHasEnoughCases() {
        #expect(Self.cases.count >= 300)
        #expect(RelyingPartySuite.all.groups.allSatisfy { !$0.cases.isEmpty })
    }

    @Test func identifiersAreUniqueAndBeginWithTheirGroup() {
        let identifiers = Self.cases.map(\.id)
        let repeated = Dictionary(grouping: identifiers) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
        #expect(repeated.isEmpty)
        for group in RelyingPartySuite.all.groups {
            for single in group.cases.map(\.description) {
                #expect(single.group == group.name)
                #expect(single.id.wholeMatch(of: /[a-z][A-Za-z0-9]*(\.[a-z][A-Za-z0-9]*)+/) != nil, "\(single.id)")
            }
        }
    }

    @Test func titlesAreSentences() {
        for single in Self.cases { #expect(single.title.hasSuffix("."), "\(single.title)") }
    }

    @Test func ourOwnRelyingPartyHasNoFailure() async throws {
        let results = try await OwnParty.with { try await OwnParty.run($0) }
        #expect(results.count == Self.cases.count)
        #expect(results.identifiers(.failed).isEmpty, "\(results.failures)")
        // Nothing is left out for a reason that the server could meet.
        #expect(results.identifiers(.notRun).isEmpty)
        #expect(results.identifiers(.passed).count > 500)
        if let path = ProcessInfo.processInfo.environment["TEST_SUITE_RESULTS"] {
            try JSONEncoder().encode(results).write(to: URL(filePath: path))
        }
    }
}
