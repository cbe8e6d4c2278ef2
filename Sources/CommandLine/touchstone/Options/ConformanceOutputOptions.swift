import ArgumentParser
import Conformance
import Foundation
import Machine
import Reports
import Wording

/// The files that verdicts are written to, and the failures that are known.
struct ConformanceOutputOptions: ParsableArguments {
    @Flag(help: "Print the report as JSON.")
    var json = false

    @Option(help: "Write the report as JSON to this file, for report and compare.")
    var report: String?

    @Option(help: "Write a JUnit XML report to this file.")
    var junit: String?

    @Option(help: "Write a page for the browser to this file: clauses by subject, with the exchanges of each case.")
    var html: String?

    @Flag(name: .customLong("github"), help: "Print failures and warnings as annotations of GitHub Actions.")
    var annotates = false

    @Option(help: "Known failures: a YAML file. Only other failures end with exit status 1.")
    var baseline: String?

    @Option(
        help: """
            Write the failures of the run to this file, as a baseline. The entries of --baseline, or else those that the \
            file has, stay with their reasons unless their cases pass in this run.
            """)
    var writeBaseline: String?

    @Option(name: .customLong("name"), help: "The subject's name in the reports.")
    var subjectName: String?

    @Option(help: "The least verdict that ends with exit status 1.")
    var failOn = FailureThreshold.failed

    @Flag(name: .shortAndLong, help: "Show every case, and the exchanges of those that fail or warn.")
    var verbose = false

    private static let reportKind = OutputFile.Kind("a report of conformance", isReport: true) { head in
        // Reports of older versions have no time at which the run began.
        let text = String(decoding: head, as: UTF8.self)
        return ["{\n  \"began\"", "{\n  \"cases\""].contains(where: text.hasPrefix)
            && text.contains("\n  \"cases\" : [")
    }

    func validate() throws {
        try OptionRule.exclude("--json", json, from: ["--verbose": verbose, "--github": annotates])
    }

    /// Refuses a wrong path before a long run.
    func check() throws {
        let files = [
            (report, Self.reportKind), (junit, JUnitDocument.kind), (html, MatrixPage.kind),
            (writeBaseline, Baseline.kind),
        ]
        for case (let path?, let kind) in files {
            try CommandError.writing(path) { try OutputFile(path, kind).check() }
        }
    }

    /// The baseline whose entries `--write-baseline` keeps; nil for none.
    ///
    /// - Throws: `SourceError` for a file that cannot be read.
    func olderBaseline(known: Set<String>) throws -> Baseline? {
        if let baseline { return try Baseline(file: baseline, known: known) }
        guard let writeBaseline, FileManager.default.contents(atPath: writeBaseline)?.isEmpty == false else {
            return nil
        }
        return try Baseline(file: writeBaseline, known: known)
    }

    /// - Parameter older: the baseline whose entries stay unless their cases pass.
    func write(_ results: ConformanceReport, keeping older: Baseline?) throws {
        try writeReports(results)
        if let writeBaseline {
            try Self.write(
                Array(try Baseline(results, keeping: older, from: failOn).text().utf8), to: writeBaseline,
                Baseline.kind)
        }
    }

    /// Writes the reports alone, without a baseline.
    func writeReports(_ results: ConformanceReport) throws {
        if json { try Terminal.writeJSON(results) }
        if annotates { Terminal.write(results.gitHubAnnotations) }
        if let report { try Self.write(try results.bytes(), to: report, Self.reportKind) }
        try Self.write([results], html: html, junit: junit)
    }

    /// Writes several reports as one page, and as one JUnit document.
    static func write(_ reports: [ConformanceReport], html: String?, junit: String?) throws {
        if let html { try write(Array(try MatrixPage(reports).html().utf8), to: html, MatrixPage.kind) }
        if let junit { try write(Array(JUnitDocument(reports).xml.utf8), to: junit, JUnitDocument.kind) }
    }

    private static func write(_ bytes: [UInt8], to path: String, _ kind: OutputFile.Kind) throws {
        try CommandError.writing(path) { try OutputFile(path, kind).replace(with: bytes) }
    }
}

extension FailureThreshold: ExpressibleByArgument {}
