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
        #expect(read.entries.map(\.id) == written.entries.map(\.id))
        #expect(read.entries.map(\.reason) == written.entries.map(\.reason))
        #expect(read.entries.map(\.id) == ["walk.fail", "walk.require", "walk.throws"])
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

    @Test("Annotations of GitHub Actions name each failed case and each that warned, and no known failure")
    func annotations() async throws {
        let report = try await Self.report()
        let lines = report.gitHubAnnotations
        #expect(lines.allSatisfy { !$0.contains("\n") })
        let errors = lines.filter { $0.hasPrefix("::error title=") }
        #expect(errors.count == report.count(.failed) && errors.count == 3)
        #expect(lines.count - errors.count == report.count(.warning))
        let fall = try #require(errors.first { $0.hasPrefix("::error title=walk.fail::") })
        #expect(fall.contains("%0A") && fall.contains("expected ") && fall.contains(", saw "))

        let known = Set(Sample.suite.cases.map(\.description.id))
        let baseline = try Baseline(parsing: "failed: { walk.fail: it falls }", file: "b.yaml", known: known)
        let marked = Sample.report(
            try await Sample.run().results(of: CaseSelection()).results.map(baseline.marked))
        #expect(!marked.gitHubAnnotations.contains { $0.contains("walk.fail") })
    }

    @Test("Warnings count as failures only where the threshold says so")
    func threshold() async throws {
        let report = try await Self.report()
        #expect(report.failures(from: .failed) == ["walk.fail", "walk.require", "walk.throws"])
        #expect(report.failures(from: .warning) == ["walk.fail", "walk.warn", "walk.require", "walk.throws"])
        let strict = Baseline(report, from: .warning)
        #expect(strict.newFailures(in: report, from: .warning) == [])
        // A case that still warns is not mended, whatever counts as a failure.
        #expect(strict.mended(in: report) == [])
        #expect(Baseline(report, keeping: strict).entries.map(\.id).contains("walk.warn"))
    }

    @Test("A baseline keeps the entries of cases that a run did not look at, with their reasons, and drops mended ones")
    func keepsOtherEntries() async throws {
        let known = Set(Sample.suite.cases.map(\.description.id))
        let older = try Baseline(
            parsing: """
                failed:
                  fly.erase: it hurts
                  walk.throws: it throws
                  walk.pass: it stumbled
                """, file: "b.yaml", known: known)
        var selection = CaseSelection()
        selection.identifiers = ["walk.pass", "walk.fail"]
        let part = Sample.report(try await Sample.run().results(of: selection).results)
        let written = Baseline(part, keeping: older)
        #expect(written.entries.map(\.id) == ["fly.erase", "walk.throws", "walk.fail"])
        #expect(written.entries.prefix(2).map(\.reason) == ["it hurts", "it throws"])
    }

    /// A report whose baseline knows one failure, in its third line.
    private static func marked() async throws -> ConformanceReport {
        let baseline = try Baseline(
            parsing: "# Ours\nfailed:\n  walk.fail: \"it falls\"\n", file: "known.yaml",
            known: Set(Sample.suite.cases.map(\.description.id)))
        return Sample.report(try await Sample.run().results(of: CaseSelection()).results.map(baseline.marked))
    }

    @Test("A known failure is marked with the line and reason of its entry: skipped in JUnit, known in JSON and page")
    func knownFailure() async throws {
        let report = try await Self.marked()
        #expect(report.knownCount(.failed) == 1)
        let document = try XMLDocument(xmlString: JUnitDocument([report]).xml)
        #expect(document.rootElement()?.attribute(forName: "failures")?.stringValue == "2")
        let skipped = try document.nodes(forXPath: "//testcase[@name='walk.fail']/skipped/@message").first
        #expect(skipped?.stringValue == "known failure, known.yaml line 3: it falls")
        #expect(try !document.nodes(forXPath: "//testcase[@name='walk.fail']/system-out").isEmpty)
        let json = String(decoding: try report.bytes(), as: UTF8.self)
        #expect(json.contains("\"reason\" : \"it falls\""))
        let runs = try #require(try Self.data(of: MatrixPage([report]))["runs"] as? [[String: Any]])
        #expect(runs.count { $0["outcome"] as? String == "known to fail" } == 1)
        #expect(runs.count { $0["outcome"] as? String == "failed" } == 2)
    }

    @Test("Reports have the time of the run and the version of the program, in each form")
    func origin() async throws {
        let results = try await Sample.run().results(of: CaseSelection()).results
        let report = ConformanceReport(
            suite: "authenticator", subject: Sample.subject.named("My key", adding: ""), version: "1.2.3",
            began: .seconds(86_400), profile: nil, results: results, cases: Sample.suite.cases.map(\.description))
        #expect(report.began == "1970-01-02T00:00:00Z")
        let document = try XMLDocument(xmlString: JUnitDocument([report]).xml)
        let stamps = try document.nodes(forXPath: "//testsuite/@timestamp").map(\.stringValue)
        #expect(stamps == ["1970-01-02T00:00:00Z", "1970-01-02T00:00:00Z"])
        let version = try document.nodes(forXPath: "//property[@name='version']/@value").first
        #expect(version?.stringValue == "1.2.3")
        let origins = try Self.data(of: MatrixPage([report]))["origins"] as? [String]
        #expect(origins == ["My key, aaguid 00, began 1970-01-02T00:00:00Z, Touchstone 1.2.3"])
    }

    @Test("The page shows the verdict first, with each deviation and its clause once, and exchanges without an outcome")
    func verdictOfThePage() async throws {
        let data = try Self.data(of: MatrixPage([try await Self.report()]))
        let (runs, strings) = (data["runs"] as? [[String: Any]] ?? [], data["strings"] as? [String] ?? [])
        func text(_ value: Any?) -> String { (value as? Int).map { strings[$0] } ?? "" }
        let run = try #require(runs.first { text($0["name"]) == "walk.fail: A jump succeeds." })
        #expect(text(run["scenario"]) == "walk.fail: A jump succeeds.")
        let steps = try #require(run["steps"] as? [[String: Any]])
        #expect(steps.map { $0["role"] as? String } == ["verdict", "exchange"])
        #expect(text(steps[0]["title"]) == "failed")
        let mismatches = try #require(steps[0]["mismatches"] as? [[String: Any]])
        #expect(
            mismatches.map { text($0["subject"]) } == ["must, CTAP 2.3 §6.1.2 step 3", "must, WebAuthn L3 §7.1"])
    }

    @Test("A deviation that a case repeats is told once, and values of one run have names in their place")
    func repeatedDeviations() async throws {
        let suite = ConformanceSuite<SampleBench>(
            "authenticator",
            [
                ConformanceGroup(
                    "walk", "Walking",
                    [
                        ConformanceCase("walk.twice", "Two steps differ.", Sample.clause) { _, recorder in
                            recorder.mask("walker-2-887de5fb@example.com", as: "account")
                            for value in ["bm90IGFnYWlu", "YWdhaW4gbm90"] { recorder.mask(value, as: "challenge") }
                            recorder.mask("short", as: "challenge")
                            for _ in 0..<2 {
                                recorder.expect(
                                    false, "YWdhaW4gbm90",
                                    seen:
                                        "bm90IGFnYWlu, YWdhaW4gbm90 of walker-2-887de5fb@example.com, short, walker-2-88"
                                )
                            }
                        }
                    ])
            ])
        let run = ConformanceRun(suite, on: SampleBench(), permission: RunPermission()) { .zero }
        let result = try #require(try await run.results(of: CaseSelection()).results.first)
        #expect(result.deviations.count == 2)
        #expect(
            result.deviationLines == [
                "expected {challenge 1}, saw {challenge 2}, {challenge 1} of {account 1}, short, {account 1}"
            ])
    }

    /// The data of a page's script.
    private static func data(of page: MatrixPage) throws -> [String: Any] {
        let html = try page.html()
        let start = try #require(html.range(of: "id=\"data\">")).upperBound
        let end = try #require(html.range(of: "</script>")).lowerBound
        return try #require(
            try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8)) as? [String: Any])
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
        #expect(comparison.left == 1)
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
        let data = try Self.data(of: MatrixPage([report, report]))
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
