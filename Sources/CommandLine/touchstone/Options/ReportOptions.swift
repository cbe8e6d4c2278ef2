import ArgumentParser
import Machine
import Reports
import Scenarios

/// The files that reports of scenarios are written to.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print the reports as JSON.")
    var json = false

    @Option(help: "Write a JUnit XML report to this file.")
    var junit: String?

    @Option(help: "Write a report for the browser to this file: a matrix whose cells open the timeline of a run.")
    var html: String?

    @Flag(name: .customLong("github"), help: "Print differences as annotations of GitHub Actions.")
    var annotates = false

    /// Refuses a wrong path before a long run.
    func check() throws {
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
        if let html { try write(try MatrixPage(reports).html(), to: html, MatrixPage.kind) }
    }

    private func write(_ text: String, to path: String, _ kind: OutputFile.Kind) throws {
        try CommandError.writing(path) { try OutputFile(path, kind).replace(with: Array(text.utf8)) }
    }
}
