import ArgumentParser
import Documents
import Machine
import Reports
import Scenarios
internal import YAMLFiles

/// The files that reports of scenarios are written to.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print the reports as JSON.")
    var json = false

    @Option(help: "Write a JUnit XML report to this file.")
    var junit: String?

    @Option(
        help: """
            Write a report for the browser to this file: a matrix whose cells open the timeline of a run. With \
            --trace it also has the messages of each run, with secrets masked.
            """)
    var html: String?

    @Option(
        help: """
            A YAML file with your requirements for --html: `requirements` maps identifiers to titles, `groups` the \
            beginnings of identifiers to headings, `pending` and `uncovered` identifiers to reasons. Default: the program's own list for its own scenarios, otherwise none.
            """)
    var requirements: String?

    @Option(help: "The heading of --html.")
    var title: String?

    @Flag(name: .customLong("github"), help: "Print differences as annotations of GitHub Actions.")
    var annotates = false

    func validate() throws {
        try OptionRule.need(
            "--html", html != nil, for: ["--requirements": requirements != nil, "--title": title != nil])
        // Both write to standard output.
        try OptionRule.exclude("--json", json, from: ["--github": annotates])
    }

    /// Refuses a wrong path before a long run.
    func check() throws {
        _ = try catalogue()
        for (path, kind) in files {
            try CommandError.writing(path) { try OutputFile(path, kind).check() }
        }
    }

    private var files: [(String, OutputFile.Kind)] {
        [junit.map { ($0, JUnitDocument.kind) }, html.map { ($0, MatrixPage.kind) }].compactMap(\.self)
    }

    func write(_ reports: [ScenarioReport]) throws {
        if json { try Terminal.writeJSON(reports) }
        if annotates { Terminal.write(GitHubAnnotations.lines(reports)) }
        if let junit { try write(JUnitDocument(reports).xml, to: junit, JUnitDocument.kind) }
        if let html {
            var page = MatrixPage(reports, catalogue: try catalogue() ?? RequirementCatalogue.of(reports))
            page.origins += [Self.origin(seeds: Set(reports.map(\.seed)))]
            if let title { page.title = title }
            try write(try page.html(), to: html, MatrixPage.kind)
        }
    }

    /// Writes a JUnit report in which each file with mistakes has failed: a CI server would show the report of an
    /// earlier run.
    func write(_ mistakes: SourceError) throws {
        if let junit { try write(JUnitDocument(mistakes).xml, to: junit, JUnitDocument.kind) }
    }

    /// Writes a JUnit report of the finished runs that fails for the others.
    func write(_ finished: [ScenarioReport] = [], unplayed reason: String) throws {
        if let junit { try write(JUnitDocument(finished, unplayed: reason).xml, to: junit, JUnitDocument.kind) }
    }

    /// The number of pending requirements, of a list that the user names or of the program's own.
    ///
    /// - Parameter areAll: whether the reports are those of every scenario of the program.
    func pending(in reports: [ScenarioReport], areAll: Bool) throws -> Int {
        let catalogue = try catalogue() ?? (areAll ? RequirementCatalogue.of(reports) : nil)
        return catalogue?.pendingCount ?? 0
    }

    private static func origin(seeds: Set<UInt64>) -> String {
        let numbers = seeds.sorted().map(String.init).joined(separator: ", ")
        return RunStamp.words() + ", seed\(seeds.count == 1 ? "" : "s") \(numbers)"
    }

    private func catalogue() throws -> RequirementCatalogue? {
        try requirements.map { try RequirementCatalogue(parsing: try ResourceFiles.text(of: $0), file: $0) }
    }

    private func write(_ text: String, to path: String, _ kind: OutputFile.Kind) throws {
        try CommandError.writing(path) { try OutputFile(path, kind).replace(with: Array(text.utf8)) }
    }
}
