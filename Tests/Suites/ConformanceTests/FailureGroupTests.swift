import Conformance
import Foundation
import FoundationXML
import Reports
import TestSupport
import Testing

/// Failures that have what was seen in common.
@Suite("Failures by what was seen")
struct FailureGroupTests {
    private static let suite = ConformanceSuite<SampleBench>(
        "authenticator",
        [
            ConformanceGroup(
                "leap", "Leaping",
                [
                    leap(1, seen: "a fall"), leap(2, seen: "a fall"), leap(3, seen: "a dive"), leap(4, seen: "a fall"),
                    ConformanceCase("leap.5", "A leap succeeds.", .ctap("6.5"), needs: [.wings]) { _, _ in },
                ])
        ])

    private static func leap(_ number: Int, seen: String) -> ConformanceCase<SampleBench> {
        let section = number == 4 ? "6.3" : number == 3 ? "6.4" : "6.\(number)"
        return ConformanceCase("leap.\(number)", "A leap succeeds.", .ctap(section)) { _, recorder in
            recorder.expect(false, "a walk", seen: "a run", level: .should)
            recorder.expect(false, "a jump", seen: seen)
        }
    }

    private static func report() async throws -> ConformanceReport {
        let run = ConformanceRun(suite, on: SampleBench(), permission: RunPermission()) { .zero }
        return ConformanceReport(
            suite: suite.name, subject: Sample.subject, version: "1", profile: nil,
            results: try await run.results(of: CaseSelection()).results, cases: suite.cases.map(\.description))
    }

    @Test("The groups count the failures of each observation, the most frequent one first, and name the first case")
    func groups() async throws {
        let groups = try await Self.report().failureGroups
        #expect(groups.map(\.seen) == ["a fall", "a dive"])
        #expect(groups.map(\.cases) == [3, 1])
        #expect(groups.map(\.first) == ["leap.1", "leap.3"])
    }

    @Test(
        "Observations that differ in places, bytes and bodies alone are one group",
        arguments: [
            (["the map ends early, at byte 12", "the map ends early, at byte 130"], 1),
            ([#"POST /in → 500 {"id": 12}"#, #"POST /in → 500 {"id": 3}"#], 1),
            ([#"POST /in → 400 {"code": "origin"}"#, #"POST /in → 400 {"code": "type"}"#], 2),
            ([#"POST /in → 400 {"code": "challenge_mismatch"}"#, #"POST /in → 400 {"code": "signature_invalid"}"#], 2),
            ([#"POST /in → 400 {"id": "mK3xPq9ZtLw0aBcDeF"}"#, #"POST /in → 400 {"id": "aaT6yHnG5vFrE4dCxS"}"#], 1),
            (["POST /in → 500 {}", "POST /in → 400 {}"], 2),
            (["the ID 00112233445566", "the ID ffeeddccbbaa99"], 1),
            (["INVALID_PARAMETER (0x02)", "MISSING_PARAMETER (0x14)"], 2), (["the name “a”", "the name “b”"], 1),
        ])
    func kinds(_ seen: [String], _ groups: Int) async throws {
        let suite = ConformanceSuite<SampleBench>(
            "authenticator",
            [ConformanceGroup("leap", "Leaping", seen.enumerated().map { Self.leap($0.offset, seen: $0.element) })])
        let run = ConformanceRun(suite, on: SampleBench(), permission: RunPermission()) { .zero }
        let report = ConformanceReport(
            suite: suite.name, subject: Sample.subject, version: "1", profile: nil,
            results: try await run.results(of: CaseSelection()).results, cases: suite.cases.map(\.description))
        #expect(report.failureGroups.count == groups)
        #expect(report.failureGroups.first?.seen == seen[0])
    }

    @Test("A failure in JUnit has what was seen as its type")
    func junit() async throws {
        let document = try XMLDocument(xmlString: JUnitDocument([try await Self.report()]).xml)
        let types = try document.nodes(forXPath: "//failure/@type").compactMap(\.stringValue)
        #expect(types == ["a fall", "a fall", "a dive", "a fall"])
    }

    @Test("The page leads with the observations, and folds the clauses that do not apply")
    func page() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "report.html")
        try MatrixPage([try await Self.report()]).html().write(to: file, atomically: true, encoding: .utf8)
        let scripts = try #require(Bundle.module.url(forResource: "Scripts", withExtension: nil))
        _ = try await Script.run("conformance_page", in: [scripts], ["url": .text(file.absoluteString)])
    }
}
