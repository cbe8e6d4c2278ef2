import Attestation
import Conformance
import Foundation
import RelyingParty
import RelyingPartyServer
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

    @Test func twoRunsWithOtherAccountsHaveTheSameDeviations() async throws {
        let group = "attestation.packed"
        let (first, second) = try await OwnParty.with {
            // The suite is told that the server trusts the test root only.
            $0.attestationPolicy.trustAnchors = TrustAnchors(forAllModels: [])
        } _: { bench in
            let first = try await OwnParty.run(bench, [group])
            return (
                first, try await OwnParty.run(bench, ["accounts.registered", group]).filter { $0.id.hasPrefix(group) }
            )
        }
        #expect(first.contains { !$0.deviations.isEmpty })
        #expect(first.map(\.deviations) == second.map(\.deviations))
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
