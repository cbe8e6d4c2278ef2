import Conformance
import Documents
import Foundation
import FoundationXML
import Reports
import TestSupport
import Testing

/// Reports, baselines and comparisons.
@Suite("Conformance reports")
struct ConformanceReportTests {
    private static func report() async throws -> ConformanceReport {
        Sample.report(try await Sample.run().results(of: CaseSelection()).results)
    }

    @Test("A report survives its file")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("report.json")
        let report = try await Self.report()
        try Data(try report.bytes()).write(to: URL(fileURLWithPath: path))
        #expect(try ConformanceReport(file: path).bytes() == report.bytes())
        try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: SourceError.self) { try ConformanceReport(file: path) }
    }

    @Test("A baseline holds the failures, knows new ones, and tells mended ones")
    func baseline() async throws {
        let report = try await Self.report()
        let known = Set(Sample.suite.cases.map(\.description.id))
        let written = Baseline(report)
        let read = try Baseline(parsing: try written.text(), file: "b.yaml", known: known)
        #expect(Set(read.entries) == Set(written.entries))
        #expect(read.entries.map(\.id).sorted() == ["walk.fail", "walk.require", "walk.throws"])
        #expect(read.newFailures(in: report) == [])
        let reasoned = try Baseline(parsing: "failed: { walk.fail: it falls }", file: "b.yaml", known: known)
        #expect(Baseline(report, keeping: reasoned).entries.first?.reason == "it falls")
        let older = try Baseline(
            parsing: "failed:\n  walk.fail: it falls\n  walk.pass: it stumbled\n", file: "b.yaml", known: known)
        #expect(older.newFailures(in: report) == ["walk.require", "walk.throws"])
        #expect(older.mended(in: report) == ["walk.pass"])
        let empty = try Baseline(parsing: "failed: {}\n", file: "b.yaml", known: known)
        #expect(empty.newFailures(in: report).count == 3)
    }

    @Test("The reasons of cases without a verdict are counted, the most frequent one first")
    func reasons() async throws {
        let reasons = try await Self.report().reasons.map { "\($0.cases) \($0.verdict.rawValue): \($0.reason)" }
        #expect(
            reasons == [
                "1 not applicable: it has no wings", "1 not run: a person has to take part",
                "1 not run: the case erases the key; --destructive allows it", "1 not run: the weather is not known",
            ])
    }

    @Test("Warnings count as failures only where the threshold says so")
    func threshold() async throws {
        let report = try await Self.report()
        #expect(report.failures(from: .failed) == ["walk.fail", "walk.require", "walk.throws"])
        #expect(report.failures(from: .warning) == ["walk.fail", "walk.warn", "walk.require", "walk.throws"])
        let strict = Baseline(report, from: .warning)
        #expect(strict.newFailures(in: report, from: .warning) == [])
        #expect(strict.mended(in: report) == ["walk.warn"])
        #expect(strict.mended(in: report, from: .warning) == [])
    }

    @Test("A baseline with a case that the suite lacks is refused")
    func unknownCase() {
        #expect(throws: SourceError.self) {
            try Baseline(parsing: "failed: { walk.gone: x }", file: "b.yaml", known: ["walk.fail"])
        }
    }

    @Test("A comparison has the cases with other verdicts or deviations, of those that both runs performed")
    func comparison() async throws {
        let report = try await Self.report()
        #expect(RunComparison(report, report).differences.isEmpty)
        var selection = CaseSelection()
        selection.identifiers = ["walk"]
        let part = Sample.report(try await Sample.run().results(of: selection).results)
        let comparison = RunComparison(report, part)
        #expect(comparison.rows.count == 5)
        #expect(comparison.left == 4)
        #expect(comparison.differences.isEmpty)
        let profile = RunProfile("bird", "A bird", [.ctap23], demands: ["wings"])
        let bird = Sample.report(try await Sample.run(profile: profile).results(of: CaseSelection()).results)
        #expect(RunComparison(report, bird).differences.map(\.id) == ["fly.wings"])
    }

    @Test("JUnit has a suite for each group, failures with the command that repeats them, and skipped cases")
    func junit() async throws {
        let document = try XMLDocument(xmlString: JUnitDocument([try await Self.report()]).xml)
        let root = try #require(document.rootElement())
        #expect(root.attribute(forName: "tests")?.stringValue == "9")
        #expect(root.attribute(forName: "failures")?.stringValue == "3")
        #expect(root.attribute(forName: "skipped")?.stringValue == "4")
        #expect(root.elements(forName: "testsuite").count == 2)
        let failure = try #require(try document.nodes(forXPath: "//testcase[@name='walk.fail']/failure").first)
        #expect(failure.stringValue?.contains("--device usb --case walk.fail") == true)
        #expect(failure.stringValue?.contains("WebAuthn L3 §7.1: expected an answer, saw silence") == true)
    }

    @Test("The page has a row for each clause, in the order of their numbers, and no markup of the subject")
    func page() async throws {
        let report = try await Self.report()
        let html = try MatrixPage([report, report]).html()
        #expect(html.components(separatedBy: "</script>").count == 3)
        let start = try #require(html.range(of: "id=\"data\">")).upperBound
        let end = try #require(html.range(of: "</script>")).lowerBound
        let data = try #require(
            try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8)) as? [String: Any])
        let rows = try #require(data["rows"] as? [[String: Any]])
        #expect(rows.map { $0["id"] as? String } == ["CTAP 2.3 §6.1.2 step 3", "CTAP 2.3 §6.1.2 step 12"])
        let runs = try #require(data["runs"] as? [[String: Any]])
        #expect(runs.count == 18)
        #expect(Set(runs.flatMap { $0["personas"] as? [String] ?? [] }) == ["Sample (1)", "Sample (2)"])
    }

    @Test("The catalogue's page names each case with its clause")
    func markdown() {
        let page = CatalogueMarkdown.page(title: "Walking and flying", Sample.suite.catalogue)
        #expect(page.contains("9 cases in 2 groups, of which 1 run only with `--destructive`."))
        for single in Sample.suite.cases { #expect(page.contains("| `\(single.description.id)` |")) }
        #expect(page.contains("touch the key (person)"))
    }
}
